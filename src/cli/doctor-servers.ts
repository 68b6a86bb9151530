import { type AnnouncedServer, announcedServers } from "../access/running-servers.ts";
import { messageOf } from "../core/errors.ts";
import { BY_MEND, type Finding, type Mended, ok, problem, warning } from "./doctor-finding.ts";
import { oneLine } from "./terminal/wording.ts";

const ABOUT = "server";

/** The servers of this data folder, also those at which nothing happens: they do not share the log until something does. */
export function examineServers(home: string, version: string): Finding[] {
  try {
    return announcedServers(home).map((announced) => stateOf(announced, version));
  } catch (error) {
    const mend = "Look at the folder servers in there: programs find no server until it can be read.";
    return [problem(ABOUT, messageOf(error), mend)];
  }
}

function stateOf({ server, isRunning }: AnnouncedServer, version: string): Finding {
  const about = `${named(server)}, version ${oneLine(server.version)}, serves ${oneLine(server.workspace)}${livePlaces(server)}`;
  if (!isRunning) return warning(ABOUT, `${about}: ended without a word.`, `${BY_MEND} forgets it.`);
  if (server.version === version) return ok(ABOUT, about);
  return warning(ABOUT, `${about}, but this is version ${version}.`, "Restart it, so that all are of one version.");
}

function livePlaces({ live: { socket, port } = {} }: AnnouncedServer["server"]): string {
  const places = [
    ...(socket === undefined ? [] : [oneLine(socket)]),
    ...(port === undefined ? [] : [`127.0.0.1:${port}`]),
  ];
  return places.length === 0 ? "" : `, speaks live at ${places.join(" and ")}`;
}

const named = ({ url, pid }: AnnouncedServer["server"]) => `${oneLine(url)} (pid ${pid})`;

/** Takes away what servers left that are not there any more. */
export function forgetServers(home: string): Mended[] {
  try {
    return announcedServers(home).flatMap(({ server, isRunning, forget }) => {
      if (isRunning) return [];
      forget();
      return [{ done: true, text: `Forgot the server ${named(server)}.` }];
    });
  } catch (error) {
    return [{ done: false, text: messageOf(error) }];
  }
}
