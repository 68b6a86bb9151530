import * as z from "zod";
import { readLiteral } from "../generator/emitting/literal-reader.ts";
import type { AuthScheme } from "../generator/kit/descriptor.ts";

const schemeSchema: z.ZodType<AuthScheme> = z.object({
  id: z.string(),
  label: z.string(),
  kind: z.enum(["apiKey", "bearer", "basic", "oauth2", "openIdConnect", "other"]),
  in: z.enum(["header", "query", "cookie"]).optional(),
  name: z.string().optional(),
  scheme: z.string().optional(),
  description: z.string().optional(),
});

/** What a generated module says of its API: what it is called, where it is, and what it takes of credentials. */
export interface DescribedApi {
  title: string;
  servers: string[];
  auth: AuthScheme[];
}

/** No text of a description begins a line like this. */
const theDescriptor = /^const apiDescriptor: ApiDescriptor = \{$/m;
const itsEnd = /^\};$/m;

/** Nothing of the code is run. What is not written as the generator writes it is not known. */
export function describedApi(code: string): DescribedApi {
  const from = theDescriptor.exec(code)?.index ?? code.length;
  const rest = code.slice(from);
  const text = rest.slice(0, itsEnd.exec(rest)?.index);
  return {
    title: z.string().catch("Interface").parse(member(text, "title")),
    servers: z.array(z.string()).catch([]).parse(member(text, "servers")),
    auth: z.array(schemeSchema).catch([]).parse(member(text, "auth")),
  };
}

function member(text: string, name: string): unknown {
  const found = new RegExp(`^ {2}${name}:`, "m").exec(text);
  return found ? readLiteral(text, found.index + found[0].length)?.value : undefined;
}
