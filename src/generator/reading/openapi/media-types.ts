const json = /^application\/json\b|^text\/json\b/i;
const likeJson = /[+/-]json\b/i;

/** Which of several media types an interface reads or writes best: JSON, what is based on it, whatever is accepted, then the first. */
export function bestMediaType(types: string[]): string | undefined {
  return (
    types.find((type) => json.test(type)) ??
    types.find((type) => likeJson.test(type)) ??
    types.find((type) => type.startsWith("*/*")) ??
    types[0]
  );
}
