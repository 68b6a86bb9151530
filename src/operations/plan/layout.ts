import { choicesOf } from "../analyze/drift.ts";
import type { Requirement, SpecDocument } from "../spec-document.ts";

/** A decision of the plan and where it comes from. */
export interface Decision {
  value: string;
  /** The line of the spec that says so; nothing where it is assumed. */
  line?: number;
  why?: string;
}

interface Language {
  version: string;
  extension: string;
  runner: string;
  /** The name of a test of something. */
  test: (name: string) => string;
  file: (name: string) => string;
}

const snake = (name: string) => name.replace(/-/g, "_");
const pascal = (name: string) => name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const LANGUAGES: Record<string, Language> = {
  TypeScript: {
    version: "TypeScript 5 on Node.js LTS",
    extension: "ts",
    runner: "vitest",
    test: (name) => `${name}.test.ts`,
    file: (name) => `${name}.ts`,
  },
  Python: {
    version: "Python 3.12",
    extension: "py",
    runner: "pytest",
    test: (name) => `test_${snake(name)}.py`,
    file: (name) => `${snake(name)}.py`,
  },
  Go: {
    version: "Go 1.23",
    extension: "go",
    runner: "go test",
    test: (name) => `${snake(name)}_test.go`,
    file: (name) => `${snake(name)}.go`,
  },
  Rust: {
    version: "Rust (stable)",
    extension: "rs",
    runner: "cargo test",
    test: (name) => `${snake(name)}.rs`,
    file: (name) => `${snake(name)}.rs`,
  },
  Java: {
    version: "Java 21",
    extension: "java",
    runner: "JUnit 5",
    test: (name) => `${pascal(name)}Test.java`,
    file: (name) => `${pascal(name)}.java`,
  },
  Kotlin: {
    version: "Kotlin 2",
    extension: "kt",
    runner: "JUnit 5",
    test: (name) => `${pascal(name)}Test.kt`,
    file: (name) => `${pascal(name)}.kt`,
  },
  "C#": {
    version: "C# on .NET 8",
    extension: "cs",
    runner: "xUnit",
    test: (name) => `${pascal(name)}Tests.cs`,
    file: (name) => `${pascal(name)}.cs`,
  },
  Ruby: {
    version: "Ruby 3",
    extension: "rb",
    runner: "RSpec",
    test: (name) => `${snake(name)}_spec.rb`,
    file: (name) => `${snake(name)}.rb`,
  },
  PHP: {
    version: "PHP 8",
    extension: "php",
    runner: "PHPUnit",
    test: (name) => `${pascal(name)}Test.php`,
    file: (name) => `${pascal(name)}.php`,
  },
  Swift: {
    version: "Swift 5",
    extension: "swift",
    runner: "XCTest",
    test: (name) => `${pascal(name)}Tests.swift`,
    file: (name) => `${pascal(name)}.swift`,
  },
};

interface Kind {
  name: string;
  words: RegExp;
  /** The folder of what a user or a caller meets. */
  face: string;
  platform: string;
}

const KINDS: readonly Kind[] = [
  {
    name: "mobile app",
    words: /\b(?:mobile app\w*|phones?|smartphones?|ios|android|iphone|ipad|push notifications?)\b/i,
    face: "screens",
    platform: "iOS and Android",
  },
  {
    name: "command-line tool",
    words: /\b(?:command[- ]line|cli|terminal|stdin|stdout|exit codes?|subcommands?|flags?)\b/i,
    face: "cli",
    platform: "Linux, macOS and Windows terminals",
  },
  {
    name: "web application",
    words:
      /\b(?:web ?(?:page|site|app\w*)|browsers?|pages?|screens?|buttons?|dashboards?|forms?|click\w*|drag\w*|ui|user interface|responsive|tabs?|cart|checkout|menus?|website)\b/i,
    face: "pages",
    platform: "Linux server and current browsers",
  },
  {
    name: "web service",
    words: /\b(?:APIs?|[Ee]ndpoints?|https?|HTTPS?|REST|GraphQL|[Ww]ebhooks?|requests)\b/,
    face: "api",
    platform: "Linux server",
  },
];
const LIBRARY: Kind = { name: "single project", words: /./, face: "app", platform: "Linux server" };

export interface Layout {
  language: Decision;
  dependencies: Decision;
  storage: Decision;
  testing: Decision;
  platform: Decision;
  kind: Decision;
  /** Paths of files, by what they are for. */
  paths: Record<
    "model" | "service" | "face" | "storage" | "errors" | "integration" | "unit" | "measure" | "docs",
    (name: string) => string
  >;
  runner: string;
}

/** Decides what the spec leaves to the plan, and says of each decision whether the spec says so. */
export function layoutOf(spec: SpecDocument): Layout {
  const choices = choicesOf(spec);
  const chosen = (category: string) => choices.get(category)?.[0];
  const spoken = chosen("language");
  const named = spoken && LANGUAGES[spoken.name] ? spoken : undefined;
  const language = LANGUAGES[named?.name ?? "TypeScript"] as Language;
  const kind = kindOf(spec);
  const frameworks = [
    "frontend framework",
    "mobile framework",
    "API style",
    "message broker",
    "cloud provider",
    "transport to the browser",
  ].flatMap((category) => choices.get(category) ?? []);
  const databases = choices.get("database") ?? [];
  const src = (folder: string) => (name: string) => `src/${folder}/${language.file(name)}`;
  const tests = (folder: string) => (name: string) => `tests/${folder}/${language.test(name)}`;
  return {
    language: {
      value: `${language.version}${further(choices.get("language") ?? [], named?.name)}`,
      line: named?.line,
      why: "the spec names no language; where the repository has one, that one counts",
    },
    dependencies: frameworks[0]
      ? { value: all(frameworks), line: frameworks[0].line }
      : {
          value: "none beyond the standard library and what the repository already uses",
          why: "the spec asks for no framework",
        },
    storage: databases[0] ? { value: all(databases), line: databases[0].line } : storageOf(spec),
    testing: { value: language.runner, why: `the usual one for ${named?.name ?? "TypeScript"}` },
    platform: { value: kind.platform, why: `from the kind of project` },
    kind: {
      value: kind.name,
      line: kind.line,
      why: "nothing in the spec points to a web, mobile or command-line interface",
    },
    paths: {
      model: src("models"),
      service: src("services"),
      face: src(kind.face),
      storage: src("storage"),
      errors: src("errors"),
      integration: tests("integration"),
      unit: tests("unit"),
      measure: tests("measures"),
      docs: (name) => `docs/${name}.md`,
    },
    runner: language.runner,
  };
}

type Named = { name: string; line: number };
const all = (named: Named[]) => named.map(({ name }) => name).join(", ");

/** A spec that names two leaves a choice open: the plan says so. */
function further(named: Named[], chosen: string | undefined): string {
  const others = named.filter(({ name }) => name !== chosen);
  return others.length === 0
    ? ""
    : `, beside ${others.map(({ name, line }) => `${name} (spec.md line ${line})`).join(", ")}`;
}

function kindOf(spec: SpecDocument): Kind & { line?: number } {
  const said = [...spec.stories, ...spec.requirements, ...spec.scenarios, ...spec.assumptions];
  const counts = KINDS.map((kind) => ({ kind, found: said.filter(({ text }) => kind.words.test(text)) }));
  const [best] = counts.filter(({ found }) => found.length > 0).sort((a, b) => b.found.length - a.found.length);
  return best ? { ...best.kind, line: best.found[0]?.line } : LIBRARY;
}

const KEEPS =
  /\b(?:stor(?:e|es|ed|age)|sav(?:e|es|ed)|persist\w*|database|records?|retain\w*|keeps?|history|archive\w*)\b/i;

function storageOf(spec: SpecDocument): Decision {
  const kept = [...spec.requirements, ...spec.scenarios].find(({ text }) => KEEPS.test(text));
  if (kept || spec.entities.length > 0) {
    return {
      value: "a relational database behind src/storage, chosen with the repository",
      why: kept
        ? `line ${kept.line} of the spec keeps data and names no database`
        : "the spec has entities and names no database",
    };
  }
  return { value: "none", why: "nothing in the spec is kept" };
}

/** Requirements that are met by the store itself. */
export const asksForStore = (spec: SpecDocument): Requirement[] => {
  const lines = new Set(
    choicesOf(spec)
      .get("database")
      ?.map(({ line }) => line),
  );
  return spec.requirements.filter(({ line, text }) => lines.has(line) && KEEPS.test(text));
};

export const keepsData = (spec: SpecDocument): boolean =>
  spec.entities.length > 0 || [...spec.requirements, ...spec.scenarios].some(({ text }) => KEEPS.test(text));
