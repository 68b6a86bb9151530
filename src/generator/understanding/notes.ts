import type { Corrections, Inference } from "../interface-model.ts";
import type { Json, Warning } from "../normalized-spec.ts";

export interface Guess<Value> {
  value: Value;
  confidence: number;
  because: string;
}

/** Writes down what was concluded, and lets a correction have the last word. */
export class Notes {
  readonly inferences: Inference[] = [];
  readonly warnings: Warning[] = [];
  private readonly corrections: Map<string, Json>;
  private readonly used = new Set<string>();

  constructor(corrections: Corrections) {
    this.corrections = new Map(Object.entries(corrections));
  }

  /** What holds: the correction if there is one that fits, or else the guess. A null takes away what there need not be. */
  decide<Value extends Json | undefined>(
    about: string,
    guess: Guess<Value>,
    fits: (value: Json) => Value | undefined,
    canBeNone = false,
  ): Value {
    const wanted = this.correction(about);
    if (wanted !== undefined && guess.value !== undefined && isSame(wanted, guess.value)) {
      this.note(about, wanted, 1, "it was confirmed");
      return guess.value;
    }
    const value = wanted === undefined ? undefined : fits(wanted);
    if (wanted !== undefined && (value !== undefined || (wanted === null && canBeNone))) {
      this.note(about, wanted, 1, "it was corrected");
      return value as Value;
    }
    if (wanted !== undefined) this.warn(about, `the correction ${JSON.stringify(wanted).slice(0, 100)} does not fit`);
    if (guess.value !== undefined) this.note(about, guess.value, guess.confidence, guess.because);
    return guess.value;
  }

  /** Whether a person wants a resource to be none. */
  isHidden(id: string): boolean {
    const none = { value: undefined, confidence: 0, because: "" };
    const yesOrNo = (value: Json) => (typeof value === "boolean" ? value : undefined);
    return this.decide<boolean | undefined>(`${id}.hidden`, none, yesOrNo) === true;
  }

  correction(about: string): Json | undefined {
    this.used.add(about);
    return this.corrections.get(about);
  }

  /** The corrections of endpoints: method and path, and what it is to be. */
  endpointCorrections(): { about: string; operation: string; role: Json }[] {
    return [...this.corrections]
      .filter(([about]) => about.startsWith("endpoint:"))
      .map(([about, role]) => ({ about, operation: about.slice("endpoint:".length).trim(), role }));
  }

  note(about: string, value: Json, confidence: number, because: string): void {
    this.inferences.push({ about, value, confidence: Math.round(confidence * 100) / 100, because });
  }

  warn(place: string, message: string): void {
    this.warnings.push({ place, message });
  }

  /** To be called at the end: what nobody asked about fits nothing. */
  warnOfUnused(): void {
    for (const about of this.corrections.keys()) {
      if (!this.used.has(about)) this.warn(about, "this correction fits nothing that was understood");
    }
  }
}

const isSame = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);
