/** Words that requests are made of. A word that is none of them, but one slip away from one, was probably meant to be it. */
const WORDS = (
  "list show display read open search find locate where which what replace change write create make delete remove rename move copy " +
  "append commit push pull status diff branch branches switch checkout file files folder folders directory test tests build lint run " +
  "execute please typescript javascript python markdown json with text from into the all git last latest commits history package " +
  "readme changes changed usages used defined definition search for in project scripts version dependencies"
).split(" ");
const KNOWN = new Set(WORDS);
const SHORTEST = 3;

/** The request with its slips of the keyboard mended, or nothing if there are none. Only plain words in small letters are looked at. */
export function respelled(masked: string): string | undefined {
  const mended = masked.replace(/(?<![^\s])[a-z]+(?=[\s,.?!]|$)/g, (word) => nearest(word) ?? word);
  return mended === masked ? undefined : mended;
}

function nearest(word: string): string | undefined {
  if (word.length < SHORTEST || KNOWN.has(word)) return undefined;
  const near = WORDS.filter((known) => known.length > SHORTEST && isOneSlipAway(word, known));
  return near.find((known) => known.at(-1) === word.at(-1)) ?? near[0]; // most slips are in the middle
}

/** One letter too many, too few or another one, or two that changed places. The first letter is mostly right. */
function isOneSlipAway(word: string, known: string): boolean {
  if (word[0] !== known[0] || Math.abs(word.length - known.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === known[at]) at++;
  const [rest, wanted] = [word.slice(at), known.slice(at)];
  if (rest.slice(1) === wanted || rest === wanted.slice(1) || rest.slice(1) === wanted.slice(1)) return true;
  return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
}
