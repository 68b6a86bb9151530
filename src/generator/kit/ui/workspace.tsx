import { createContext, type ReactNode, use, useContext, useEffect, useState } from "react";
import type { Backend } from "../api/backend.ts";
import {
  type Connection,
  createSession,
  type InterfaceHost,
  type Session,
} from "../api/session.ts";
import type { Transport } from "../api/transport.ts";
import type { Customization } from "../customizing/customization.ts";
import { customized } from "../customizing/customized.ts";
import type { InterfaceDescriptor, Resource, ResourceEntry } from "../descriptor.ts";
import { createVisitMemory, type VisitMemory } from "./visit-memory.ts";

/** What every screen works with. */
export interface Workspace {
  descriptor: InterfaceDescriptor;
  session: Session;
  host?: InterfaceHost;
  connection: Connection;
  backend: Backend;
  /** Changes with the connection: what was loaded before belongs to another API. */
  revision: number;
  entryOf(id: string): ResourceEntry | undefined;
  /** Made once, when it is first asked for. */
  resourceOf(id: string): Resource | Promise<Resource> | undefined;
  memory: VisitMemory;
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error("useWorkspace needs a WorkspaceProvider above it.");
  return workspace;
}

/** The descriptor of a resource. Suspends while it is being loaded. */
export function useResource(id: string | undefined): Resource | undefined {
  const { resourceOf } = useWorkspace();
  const resource = id === undefined ? undefined : resourceOf(id);
  return resource instanceof Promise ? use(resource) : resource;
}

export interface WorkspaceOptions {
  descriptor: InterfaceDescriptor;
  /** What is wanted otherwise than the descriptor says. */
  customizations?: Customization[];
  /** Instead of sample data, until a person connects to the API. */
  backend?: Backend;
  /** How requests are sent, if not by the page itself. */
  transport?: Transport;
  /** Who connects it to the API, if not the person by a form of its own. */
  host?: InterfaceHost;
}

export function WorkspaceProvider({
  descriptor: described,
  customizations = [],
  backend,
  transport,
  host,
  children,
}: WorkspaceOptions & { children: ReactNode }) {
  const [revision, setRevision] = useState(0);
  const [descriptor] = useState(() => customized(described, customizations));
  // Sample data is that of the API, however it is shown.
  const [session] = useState(() => createSession(described, { mock: backend, transport, host }));
  const [resources] = useState(() => createResourceLoader(descriptor));
  const [memory, setMemory] = useState(createVisitMemory);
  useEffect(
    () =>
      session.subscribe(() => {
        setMemory(createVisitMemory());
        setRevision((count) => count + 1);
      }),
    [session],
  );
  const workspace: Workspace = {
    descriptor,
    session,
    host,
    connection: session.connection(),
    backend: session.backend(),
    revision,
    ...resources,
    memory,
  };
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}

function createResourceLoader(
  descriptor: InterfaceDescriptor,
): Pick<Workspace, "entryOf" | "resourceOf"> {
  const entries = new Map(descriptor.resources.map((entry) => [entry.id, entry]));
  const loaded = new Map<string, Resource | Promise<Resource>>();
  return {
    entryOf: (id) => entries.get(id),
    resourceOf(id) {
      const known = loaded.get(id) ?? entries.get(id)?.load();
      if (known === undefined || loaded.has(id)) return known;
      loaded.set(id, known);
      if (known instanceof Promise) {
        known.catch(() => loaded.delete(id)); // so that another attempt can be made
      }
      return known;
    },
  };
}
