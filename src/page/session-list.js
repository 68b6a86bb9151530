import { element } from "./element.js";

const statusWords = { idle: "", running: "under way", waiting: "waits for an answer" };

/** The sessions, as links. What is not changed is not drawn again, so that a link that has the focus keeps it. */
export class SessionList {
  #box;
  #links = new Map();

  constructor(box) {
    this.#box = box;
  }

  /** `names` says what each is called. The folder of a session is named where it is not the `served` one. */
  show(sessions, { current, names, served }) {
    for (const [id, { item }] of this.#links) {
      if (sessions.some(({ sessionId }) => sessionId === id)) continue;
      item.remove();
      this.#links.delete(id);
    }
    let before = this.#box.firstElementChild;
    for (const session of sessions) {
      const about = aboutSession(session, served);
      const item = this.#item(session, names.of(session), about, session.sessionId === current);
      if (item === before) before = before.nextElementSibling;
      else this.#box.insertBefore(item, before);
    }
  }

  #item(session, name, about, isCurrent) {
    const { sessionId } = session;
    const known = this.#links.get(sessionId);
    const status = statusOf(session);
    const looks = JSON.stringify([status, name, about, isCurrent]);
    if (known?.looks === looks) return known.item;
    const item = known?.item ?? element("li");
    const link = known?.link ?? element("a", { href: `#${sessionId}` });
    link.replaceChildren(element("span", { class: "title" }, name), element("span", { class: "quiet" }, about));
    link.dataset.status = status;
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (!known) item.append(link);
    this.#links.set(sessionId, { item, link, looks });
    return item;
  }
}

/** Of one that does nothing, how its latest run has ended. */
const statusOf = ({ status, outcome }) => (status === "idle" && outcome ? outcome : status);

function aboutSession(session, served) {
  const { updatedAt, engine, model, workspace } = session;
  const status = statusOf(session);
  const folder = served === undefined || workspace === served ? "" : lastName(workspace);
  return [ago(updatedAt), statusWords[status] ?? status, engine, model, folder].filter(Boolean).join(" · ");
}

const lastName = (path) => /[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? path;

function ago(time) {
  const seconds = Math.max(0, (Date.now() - Date.parse(time)) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(time).toLocaleDateString();
}
