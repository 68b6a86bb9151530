// Text as it stands in code.

// Invisible characters, and those that end a line or a script element, are written as escapes: what is seen is what is there.
const unseen = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

// Tools look for these anywhere in a file, also where they are no comments, and open what they name.
const sourceNotes = /[#@](?=\s*source(?:Mapping)?URL\s*=)/gi;

const escaped = (text: string) =>
  text
    .replace(unseen, asEscape)
    .replace(/<(?=\/script|!--)/gi, asEscape)
    .replace(sourceNotes, asEscape);

/** Most texts hold nothing that is ever escaped, and need no closer look. */
const plain = /^[ !$-&(-;=-?A-[\]-~]*$/;

export function quoted(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  const inside = escaped(JSON.stringify(text).slice(1, -1));
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  if (doubles <= singles) return `"${inside}"`;
  return `'${inside.replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

// Tools look for the line that begins this constant: no text has one.
const constantNotes = /^[ec](?=(?:xport c)?onst customizations: )/gm;

/** Several lines stay several lines. */
export function template(text: string): string {
  const inside = text.replace(/[\\`]|\$(?=\{)/g, "\\$&").replace(/\r/g, "\\r");
  const seen = escaped(inside).replace(/[^\P{Cc}\n\t]/gu, asEscape);
  return `\`${seen.replace(constantNotes, asEscape)}\``;
}

const asEscape = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;

const asciiName = /^[A-Za-z_$][\w$]*$/;
const anyName = /^[\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*$/u;

// Letters that came after Unicode 8, and one that is none in code: not every tool takes them in a name, and Prettier leaves them in quotes.
const unsafeInName =
  /[\u{10000}-\u{10ffff}]|[\u180f\u1abf-\u1add\u1ae0-\u1aeb\u1df6-\u1dfa]|[\u0560\u0588\u05ef\u07fd\u0860-\u086a\u0870-\u0887\u0889-\u088f\u0897-\u089f\u08b5\u08be-\u08d3\u09fc\u09fe\u0afa-\u0aff\u0b55\u0c04\u0c3c\u0c5c-\u0c5d\u0cdc-\u0cdd\u0cf3\u0d00\u0d04\u0d3b-\u0d3c\u0d81\u0e86\u0e89\u0e8c\u0e8e-\u0e93\u0e98\u0ea0\u0ea8-\u0ea9\u0eac\u0eba\u0ece\u170d\u1715\u171f\u1878\u1b4c\u1c89-\u1c8a\u1c90-\u1cba\u1cbd-\u1cbf\u1cf7\u1cfa\u2c2f\u2c5f\u2e2f\u312e-\u312f\u31bb-\u31bf\u4db6-\u4dbf\u9fd6-\u9fff\ua7af\ua7b8-\ua7dc\ua7f1-\ua7f6\ua82c\ua8fe-\ua8ff\uab66-\uab69]/u;

/** `"__proto__": x` would set the prototype; computed, it is a key like any other. */
export function keyText(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return asciiName.test(key) || (anyName.test(key) && !unsafeInName.test(key)) ? key : quoted(key);
}
