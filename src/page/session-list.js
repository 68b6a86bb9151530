import { element } from "./element.js";

const statusWords = { idle: "", running: "under way", waiting: "waits for an answer", closed: "closed" };

/** The sessions, as links. What is not changed is not drawn again, so that a link that has the focus keeps it. */
export class SessionList {
  #box;
  #links = new Map();

  constructor(box) {
    this.#box = box;
  }

  /** `names` says what each is called. */
  show(sessions, current, names) {
    for (const [id, { item }] of this.#links) {
      if (sessions.some(({ sessionId }) => sessionId === id)) continue;
      item.remove();
      this.#links.delete(id);
    }
    let before = this.#box.firstElementChild;
    for (const session of sessions) {
      const item = this.#item(session, names.of(session), session.sessionId === current);
      if (item === before) before = before.nextElementSibling;
      else this.#box.insertBefore(item, before);
    }
  }

  #item(session, name, isCurrent) {
    const { sessionId } = session;
    const known = this.#links.get(sessionId);
    const when = ago(session.updatedAt);
    const looks = JSON.stringify([session, name, isCurrent, when]);
    if (known?.looks === looks) return known.item;
    const item = known?.item ?? element("li");
    const link = known?.link ?? element("a", { href: `#${sessionId}` });
    const status = statusWords[session.status] ?? session.status;
    link.replaceChildren(
      element("span", { class: "title" }, name),
      element("span", { class: "quiet" }, `${when}${status ? ` · ${status}` : ""}`),
    );
    link.dataset.status = session.status;
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (!known) item.append(link);
    this.#links.set(sessionId, { item, link, looks });
    return item;
  }
}

function ago(time) {
  const seconds = Math.max(0, (Date.now() - Date.parse(time)) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(time).toLocaleDateString();
}
