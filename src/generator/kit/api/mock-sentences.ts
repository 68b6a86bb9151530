import { nameWords } from "./format.ts";
import { subjectName } from "./mock-names.ts";
import type { TextSource } from "./mock-source.ts";
import { lineList, type Words } from "./mock-words.ts";

const descriptions = lineList(`
  Set up in spring and reviewed every quarter.
  Kept for reference; a newer version replaces it.
  Often asked for, mostly at the start of the month.
  Recently reviewed, with a few small changes still to come.
  The first of its kind here, and still in daily use.
  Covers the basics and leaves room for more.
  Shared with everyone who asked for it.
  Started as an experiment and stayed.
  Works well together with the others in this group.
  Put together by a small team over the winter.
  A dependable choice that many come back to.
  Simple at first sight, with some surprises in the details.
`);

const comments = lineList(`
  Thanks, this works well for us.
  Could you have another look at the second point?
  Looks good to me.
  I can reproduce this on my machine.
  Exactly what we were looking for!
  Arrived a day late, but all is well.
  Let's talk about it on Monday.
  Great service, I would come again.
  I have attached the latest version.
`);

const bios = lineList(`
  Likes long walks and short meetings.
  Has been here since the beginning.
  Writes about food, travel and trains.
  Plays the cello, badly.
  Moved from finance to design and never looked back.
  Spends the weekends on the water.
  Looks after the garden and two cats.
`);

const remarks = lineList(`
  Call before delivery.
  Checked last week; everything is in order.
  Asked for a call in the morning.
  Needs a second look before the end of the month.
  Please leave it at the front desk.
  Prefers to be contacted by e-mail.
  Waiting for an answer from the supplier.
`);

const plots = lineList(`
  Two strangers share a cabin in a storm and find that they have met before.
  A young engineer discovers that the city's clocks disagree.
  After years at sea, a captain returns to a harbour that has forgotten her.
  The last letter of a long correspondence arrives forty years late.
  A small crew sets out to map a coast that is on no chart.
  Everyone in the village remembers that summer in a different way.
`);

const commitMessages = lineList(`
  Fix the login redirect
  Add a test for empty lists
  Update dependencies
  Remove the old importer
  Make the timeout configurable
  Document the settings
  Handle a missing locale
  Speed up the search index
  Rename the helper and its callers
`);

const reports = lineList(`
  Happens every time since the last update.
  Steps: open the list, set a filter, go back.
  Several people asked for this.
  It works in Firefox, but not in Safari.
  There is a workaround: reload the page.
  Should be small; the tests already cover it.
`);

const failureMessages = lineList(`
  The connection timed out.
  The address could not be reached.
  The file has an unknown format.
  The limit was reached.
  The request was cancelled.
`);

type SentenceRule = [name: RegExp, subject: RegExp, sentences: Words];

const anything = /^/;

const sentenceRules: SentenceRule[] = [
  [/ message /, / commit /, commitMessages],
  [/ (error|failure|warning|exception) /, anything, failureMessages],
  [/ (bio|biography|about) /, anything, bios],
  [/ (crawl|plot|synopsis|storyline) /, anything, plots],
  [/ (description|summary) /, / (film|movie|book|novel|episode|series) /, plots],
  [/ (notes?|remarks?|instructions?|memo) /, anything, remarks],
  [/ (comments?|review|feedback|reply|message|answer|testimonial) /, anything, comments],
  [
    / (body|text|content|html) /,
    / (comments?|review|feedback|reply|message|answer|mail|emails?|broadcast) /,
    comments,
  ],
  [/ (body|text|content|html) /, / (notes?|remarks?|memo) /, remarks],
  [/ (body|description|text) /, / (issue|ticket|bug|task|todo|pull) /, reports],
];

/** A sentence that a text of this name could be. */
export function plausibleSentence(source: TextSource, name: string): string {
  return source.dice.pick(sentencesFor(name, source));
}

/** One or more sentences, for long texts. */
export function plausibleParagraph(source: TextSource, name: string): string {
  const { dice } = source;
  const sentences = sentencesFor(name, source);
  if (sentences === commitMessages) return dice.pick(sentences);
  const start = dice.between(0, sentences.length - 1);
  const chosen = Array.from(
    { length: dice.between(1, 3) },
    (_, index) => sentences[(start + index * 2) % sentences.length],
  );
  const text = chosen.join(" ");
  const [last] = nameWords(name).slice(-1);
  if (last === "html") return `<p>${text}</p>`;
  return last === "readme" || last === "markdown" ? `# ${subjectName(source)}\n\n${text}` : text;
}

function sentencesFor(name: string, { subject }: TextSource): Words {
  const words = nameWords(name).join(" ");
  const about = ` ${subject.join(" ")} ${words} `;
  const rule = sentenceRules.find(
    ([ofName, ofSubject]) => ofName.test(` ${words} `) && ofSubject.test(about),
  );
  return rule?.[2] ?? descriptions;
}
