import type { Method } from "./protocol.ts";

/** So many tabs nobody has open; those of longest ago are forgotten. */
const MOST_TABS = 1000;

interface Place {
  tabId?: string;
  sessionId?: string;
}

/** Where the calls say which session they mean. */
const inContext = /^(?:generate|customize|chat)$/;
const inParams = /^(?:session\/update|model\/list|version\/.+)$/;

/** A call with the session that it is to be in. */
export interface PlacedCall<P> {
  params: P;
  /** Whether the session is what was remembered here, and not what the caller said. */
  isRemembered: boolean;
  /** In which session its run turned out to be. */
  remember(sessionId: string): void;
  forget(): void;
}

/**
 * The session of each tab, and of what is in no tab. A runtime knows them as long as it runs; by this the next one goes on in them.
 */
export class TabSessions {
  readonly #ids = new Map<string | undefined, string>();

  placed<P>(method: Method, params: P): PlacedCall<P> {
    const place = placeOf(method, params);
    if (!place) return { params, isRemembered: false, remember: () => {}, forget: () => {} };
    const { tabId } = place;
    // A session that is named for this request alone becomes nobody's.
    const isForOnce = tabId === undefined && place.sessionId !== undefined;
    const remember = (sessionId: string) => void (isForOnce || this.#remember(tabId, sessionId));
    const forget = () => void this.#ids.delete(tabId);
    const sessionId = this.#ids.get(tabId);
    if (sessionId === undefined || place.sessionId !== undefined)
      return { params, isRemembered: false, remember, forget };
    const placed = inParams.test(method) ? { sessionId } : { context: { ...place, sessionId } };
    return { params: { ...params, ...placed }, isRemembered: true, remember, forget };
  }

  #remember(tabId: string | undefined, sessionId: string): void {
    this.#ids.delete(tabId);
    this.#ids.set(tabId, sessionId);
    const [oldest] = this.#ids.keys();
    if (this.#ids.size > MOST_TABS) this.#ids.delete(oldest);
  }
}

function placeOf(method: Method, params: unknown): Place | undefined {
  const { context, ...beside } = params as Place & { context?: Place };
  if (inParams.test(method)) return { ...beside, ...context };
  return inContext.test(method) ? (context ?? {}) : undefined;
}
