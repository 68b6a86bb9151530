import fc from "fast-check";
import type { Json } from "../descriptor.ts";
import type { Customization, FieldFormat, Place, Tone, Wish } from "./customization.ts";

/** A wish of one kind with whatever its members can be; of some of them every member is optional. */
type Wishes = { [Change in Wish["change"]]: fc.Arbitrary<Extract<Wish, { change: Change }>> };

const formats: FieldFormat[] = [
  ...(["text", "longText", "number", "currency", "percent", "bytes", "date"] as const),
  ...(["dateTime", "relative", "image", "link", "badge", "color", "stars"] as const),
];
const tones: Tone[] = ["neutral", "good", "wait", "bad", "info"];
const operations = ["create", "update", "remove"] as const;

export interface Names {
  resource: fc.Arbitrary<string>;
  field: fc.Arbitrary<string>;
  action: fc.Arbitrary<string>;
  /** Of labels, texts and the like. */
  text: fc.Arbitrary<string>;
  value: fc.Arbitrary<Json>;
}

/** Customizations of every kind, about things with these names. */
export function arbitraryCustomization(names: Names): fc.Arbitrary<Customization> {
  const wish: fc.Arbitrary<Wish> = fc.oneof(...Object.values(arbitraryWishes(names)));
  const said = fc.option(names.text, { nil: undefined });
  return fc
    .tuple(wish, said)
    .map(([one, words]) => (words === undefined ? one : { ...one, said: words }));
}

function arbitraryWishes({ resource, field, action, text, value }: Names): Wishes {
  const is = <const Change extends string>(change: Change) => ({ change: fc.constant(change) });
  const some = <Members extends Record<string, fc.Arbitrary<unknown>>>(members: Members) =>
    fc.record(members);
  /** About a resource, or all of them. */
  const about = <Members extends Record<string, fc.Arbitrary<unknown>>>(members: Members) =>
    fc
      .tuple(fc.record(members), fc.option(resource, { nil: undefined }))
      .map(([wish, id]) => (id === undefined ? wish : { ...wish, resource: id }));
  const on = fc.boolean();
  const placeOf = (name: fc.Arbitrary<string>): fc.Arbitrary<Place> =>
    fc.oneof(
      fc.constantFrom("first" as const, "last" as const),
      name.map((before) => ({ before })),
      name.map((after) => ({ after })),
    );
  const operation = fc.constantFrom(...operations);
  return {
    theme: some({ ...is("theme"), theme: fc.constantFrom("light", "dark", "system") }),
    layout: some({ ...is("layout"), layout: fc.constantFrom("side", "top") }),
    accent: some({ ...is("accent"), color: fc.oneof(text, fc.constantFrom("#00ff00", "#123")) }),
    density: some({ ...is("density"), density: fc.constantFrom("compact", "normal", "roomy") }),
    textSize: some({ ...is("textSize"), size: fc.constantFrom("small", "normal", "large") }),
    corners: some({ ...is("corners"), corners: fc.constantFrom("square", "normal", "round") }),
    apiTitle: some({ ...is("apiTitle"), title: text }),
    pagination: some({ ...is("pagination"), on }),
    home: about(is("home")),
    summaryShown: some({ ...is("summaryShown"), summary: action, shown: on }),
    resourceName: some({ ...is("resourceName"), resource, name: text, plural: text }),
    resourceShown: some({ ...is("resourceShown"), resource, shown: on }),
    resourcePlace: some({ ...is("resourcePlace"), resource, place: placeOf(resource) }),
    resourceGroup: some({ ...is("resourceGroup"), resource, group: text }),
    resourceText: some({ ...is("resourceText"), resource, text }),
    view: fc.oneof(
      about({ ...is("view"), view: fc.constantFrom("table", "cards") }),
      some({ ...is("view"), resource, view: fc.constant("board"), by: field }),
    ),
    pageSize: about({ ...is("pageSize"), size: fc.integer({ min: -5, max: 1000 }) }),
    order: about({ ...is("order"), field, descending: on }),
    columns: some({ ...is("columns"), resource, fields: fc.array(field, { maxLength: 5 }) }),
    columnShown: about({ ...is("columnShown"), field, shown: on }),
    columnPlace: about({ ...is("columnPlace"), field, place: placeOf(field) }),
    rows: some({
      ...is("rows"),
      resource,
      field,
      values: fc.array(value, { maxLength: 3 }),
      not: on,
    }),
    allRows: some({ ...is("allRows"), resource }),
    search: about({ ...is("search"), on, fields: fc.array(field, { maxLength: 3 }) }),
    filter: about({ ...is("filter"), field, on }),
    fieldShown: fc.oneof(
      about({ ...is("fieldShown"), field, shown: on }),
      about({ ...is("fieldShown"), field, shown: on, where: fc.constantFrom("record", "form") }),
    ),
    fieldPlace: about({ ...is("fieldPlace"), field, place: placeOf(field) }),
    fieldLabel: about({ ...is("fieldLabel"), field, label: text }),
    fieldFormat: fc.oneof(
      about({ ...is("fieldFormat"), field, format: fc.constantFrom(...formats) }),
      about({ ...is("fieldFormat"), field, format: fc.constant("currency"), currency: text }),
    ),
    fieldHelp: about({ ...is("fieldHelp"), field, text }),
    fieldDefault: about({ ...is("fieldDefault"), field, value }),
    fieldRequired: about({ ...is("fieldRequired"), field, required: on }),
    fieldReadOnly: about({ ...is("fieldReadOnly"), field, readOnly: on }),
    recordTitle: some({ ...is("recordTitle"), resource, field }),
    optionLabel: about({ ...is("optionLabel"), field, value, label: text }),
    optionTone: about({ ...is("optionTone"), field, value, tone: fc.constantFrom(...tones) }),
    operationOffered: about({ ...is("operationOffered"), operation, offered: on }),
    operationLabel: about({ ...is("operationLabel"), operation, label: text }),
    operationConfirmed: about({ ...is("operationConfirmed"), operation, ask: on }),
    actionOffered: about({ ...is("actionOffered"), action, offered: on }),
    actionLabel: about({ ...is("actionLabel"), action, label: text }),
    actionConfirmed: about({ ...is("actionConfirmed"), action, ask: on }),
  } as Wishes;
}
