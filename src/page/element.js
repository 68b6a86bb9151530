import { plainText } from "./plain-text.js";

/**
 * Makes an element. What is given as its content is text, or elements: nothing that someone else wrote is ever read as HTML, and all of
 * it goes through `plainText`.
 */
export function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...content.map((part) => (typeof part === "string" ? plainText(part) : part)));
  return made;
}

export function setText(target, text) {
  const plain = plainText(text);
  if (target.textContent !== plain) target.textContent = plain;
}

export const byId = (id) => document.getElementById(id);
