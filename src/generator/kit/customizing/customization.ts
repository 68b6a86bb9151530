import type { Json, Settings } from "../descriptor.ts";

// What people want otherwise than it was generated. Each says one thing, about parts that it names by ids that stay when the
// interface is generated again, so that it holds for the new one, too.

/** Where something goes among its like. */
export type Place = "first" | "last" | { before: string } | { after: string };

export type FieldFormat =
  | "text"
  | "longText"
  | "number"
  | "currency"
  | "percent"
  | "bytes"
  | "date"
  | "dateTime"
  | "relative"
  | "image"
  | "link"
  | "badge"
  | "color"
  | "stars";

export type Tone = "neutral" | "good" | "wait" | "bad" | "info";

export type RecordOperation = "create" | "update" | "remove";

/** `resource` is a resource's id, and what is for none is for all that have what it names; `field` is a field's name. */
export type Wish =
  // The whole interface.
  | { change: "theme"; theme: Settings["theme"] }
  | { change: "layout"; layout: Settings["layout"] }
  /** "#3451d1": what buttons, links and the like are coloured with. */
  | { change: "accent"; color: string }
  | { change: "density"; density: "compact" | "normal" | "roomy" }
  | { change: "textSize"; size: "small" | "normal" | "large" }
  | { change: "corners"; corners: "square" | "normal" | "round" }
  | { change: "apiTitle"; title: string }
  | { change: "pagination"; on: boolean }
  /** What is seen first; the dashboard, if it names none. */
  | { change: "home"; resource?: string }
  | { change: "summaryShown"; summary: string; shown: boolean }
  // The navigation, and what a resource is called.
  | { change: "resourceName"; resource: string; name: string; plural: string }
  | { change: "resourceShown"; resource: string; shown: boolean }
  | { change: "resourcePlace"; resource: string; place: Place }
  | { change: "resourceGroup"; resource: string; group: string }
  | { change: "resourceText"; resource: string; text: string }
  // A list.
  /** A board has a column for each value of the field `by`. */
  | { change: "view"; resource?: string; view: "table" | "cards" }
  | { change: "view"; resource: string; view: "board"; by: string }
  | { change: "pageSize"; resource?: string; size: number }
  | { change: "order"; resource?: string; field: string; descending: boolean }
  /** Exactly these columns, in this order. */
  | { change: "columns"; resource: string; fields: string[] }
  | { change: "columnShown"; resource?: string; field: string; shown: boolean }
  | { change: "columnPlace"; resource?: string; field: string; place: Place }
  /** Only rows that have one of these values there, or none of them (`not`). */
  | { change: "rows"; resource: string; field: string; values: Json[]; not?: boolean }
  | { change: "allRows"; resource: string }
  /** A box that searches; in these fields only, if any are named. */
  | { change: "search"; resource?: string; on: boolean; fields?: string[] }
  | { change: "filter"; resource?: string; field: string; on: boolean }
  // Fields, wherever they are.
  /** In lists, on the page of a record and in forms; or only in one of them. What a form needs stays in it. */
  | {
      change: "fieldShown";
      resource?: string;
      field: string;
      shown: boolean;
      where?: "record" | "form";
    }
  /** On the page of a record and in forms. */
  | { change: "fieldPlace"; resource?: string; field: string; place: Place }
  | { change: "fieldLabel"; resource?: string; field: string; label: string }
  | {
      change: "fieldFormat";
      resource?: string;
      field: string;
      format: FieldFormat;
      /** Of "currency": "EUR". */
      currency?: string;
    }
  | { change: "fieldHelp"; resource?: string; field: string; text: string }
  | { change: "fieldDefault"; resource?: string; field: string; value: Json }
  | { change: "fieldRequired"; resource?: string; field: string; required: boolean }
  | { change: "fieldReadOnly"; resource?: string; field: string; readOnly: boolean }
  /** What names a record to people. */
  | { change: "recordTitle"; resource: string; field: string }
  | { change: "optionLabel"; resource?: string; field: string; value: Json; label: string }
  | { change: "optionTone"; resource?: string; field: string; value: Json; tone: Tone }
  // What can be done.
  | {
      change: "operationOffered";
      resource?: string;
      operation: RecordOperation;
      offered: boolean;
    }
  | { change: "operationLabel"; resource?: string; operation: RecordOperation; label: string }
  | { change: "operationConfirmed"; resource?: string; operation: RecordOperation; ask: boolean }
  /** Of a resource, or of the API if it names none. */
  | { change: "actionOffered"; resource?: string; action: string; offered: boolean }
  | { change: "actionLabel"; resource?: string; action: string; label: string }
  | { change: "actionConfirmed"; resource?: string; action: string; ask: boolean };

/** A wish, and the words in which a person said it. */
export type Customization = Wish & { said?: string };
