/** The body of an answer, if it is not larger than may be held; else it is given up, and fails with what `tooLarge` makes. */
export async function boundedText(response: Response, maxBytes: number, tooLarge: () => Error): Promise<string> {
  const reader = response.body?.getReader(); // not iterated: not every browser can
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.length;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}
