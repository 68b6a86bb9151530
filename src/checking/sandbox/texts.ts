const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export class Encoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const escaped = encodeURIComponent(String(text).toWellFormed());
    const signs = escaped.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
  }
}

export class Decoder {
  readonly encoding = "utf-8";

  decode(bytes: ArrayBuffer | Uint8Array = new Uint8Array()): string {
    const hex = Array.from(new Uint8Array(bytes), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    try {
      return decodeURIComponent(hex);
    } catch {
      return "\ufffd";
    }
  }
}

export function btoa(given: string): string {
  const text = String(given);
  if (/[^\0-\xff]/.test(text)) throw new Error("The text has characters that are no bytes.");
  let result = "";
  for (let at = 0; at < text.length; at += 3) {
    const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    const bits = (a << 16) | ((b || 0) << 8) | (c || 0);
    const four = [18, 12, 6, 0].map((shift) => letters[(bits >> shift) & 63]).join("");
    result += four.slice(0, Number.isNaN(b) ? 2 : Number.isNaN(c) ? 3 : 4).padEnd(4, "=");
  }
  return result;
}

export function atob(given: string): string {
  const text = String(given).replace(/\s|=+$/g, "");
  if (/[^A-Za-z0-9+/]/.test(text)) throw new Error("The text is not Base64.");
  let [result, bits, count] = ["", 0, 0];
  for (const letter of text) {
    bits = ((bits << 6) | letters.indexOf(letter)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    result += String.fromCharCode((bits >> count) & 0xff);
  }
  return result;
}
