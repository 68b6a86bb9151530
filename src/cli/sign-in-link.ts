import * as z from "zod";
import { type RunningServer, runningServers } from "../access/running-servers.ts";
import { TokenFiles } from "../access/token-files.ts";
import { printable } from "../config/printable.ts";
import { DragomanError, messageOf } from "../core/errors.ts";

const PATIENCE_MS = 10_000;

const linkSchema = z.object({ url: z.url({ protocol: /^https?$/ }), expiresInSeconds: z.number().positive() });
const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/** A link that signs a browser in once. */
type SignInLink = z.infer<typeof linkSchema>;

/**
 * Asks a server of this data folder for a link, in the name of its admin. Only for one that was announced in that folder: whoever
 * is asked gets the admin token.
 */
export async function requestSignInLink(home: string, { url }: Pick<RunningServer, "url">): Promise<SignInLink> {
  const files = new TokenFiles(home);
  const token = files.readAdminToken();
  if (!token) throw failed(`${files.tokenFile} is not there. Start the server anew, and it makes one.`);
  const response = await fetch(new URL("/auth/links", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw failed(`The server at ${url} does not answer: ${causeOf(error)}. ${adviceFor(url)}`);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const link = linkSchema.safeParse(answer);
  if (response.ok && link.success) return link.data;
  if (response.status === 401)
    throw failed(`The server at ${url} does not know the token in ${files.tokenFile}. Start it anew.`);
  const refusal = refusalSchema.safeParse(answer).data?.error.message ?? "it said nothing that we understand";
  throw failed(`The server at ${url} gave no link (${response.status}): ${printable(refusal)}`);
}

/** The server that is meant: by its address, or the only one, or the only one of this folder. */
export async function findServer(home: string, workspace: string, address?: string): Promise<RunningServer> {
  const servers = runningServers(home);
  const named = address === undefined ? servers : servers.filter(({ url }) => originOf(url) === originOf(address));
  const here = named.filter((server) => server.workspace === workspace);
  const [only, ...others] = here.length > 0 ? here : named;
  if (only && others.length === 0) return only;
  const all = servers.map((server) => `\n  ${server.url}  ${printable(server.workspace)}`).join("");
  if (servers.length === 0) throw failed("No server is running. Start one: dragoman serve");
  if (!only) throw failed(`No server of ours is running at ${printable(address ?? "")}. These are:${all}`);
  throw failed(`Several servers are running. Say which one: dragoman token link <address>${all}`);
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

const failed = (message: string) => new DragomanError("precondition_failed", message);

const causeOf = (error: unknown) => messageOf(error instanceof Error && error.cause ? error.cause : error);

function adviceFor(url: string): string {
  const hangs = "If it hangs, end it and start it anew.";
  if (!url.startsWith("https:")) return hangs;
  return `If its certificate is one of your own, name it: NODE_EXTRA_CA_CERTS=<file> dragoman token link. ${hangs}`;
}
