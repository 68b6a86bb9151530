// The kit's files as the text of one module. Their names are unique in the whole kit and imported as they are, so it is enough to
// put the files in order and to leave out what ties them together.

export interface KitModule {
  /** What it takes of packages: values and types. */
  imports: PackageImports[];
  body: string;
  /** Every name at its top level. */
  names: Set<string>;
}

export interface PackageImports {
  from: string;
  values: string[];
  types: string[];
}

const anImport = /^import\s+(type\s+)?(\{[^}]*\}|\*\s+as\s+\w+|\w+)?(?:\s+from\s+)?"([^"]+)";\n/gm;
const anExport = /^export (?:async )?(?:function|const|let|class|interface|type|abstract)\b/;
const aName = /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;

interface Imported {
  from: string;
  values: string[];
  types: string[];
}

export function kitModule(sources: Record<string, string>): KitModule {
  const files = Object.keys(sources).filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."));
  const ordered = inOrderOfUse(files, (path) => importsOf(sources, path).map(({ from }) => from));
  const names = new Set<string>();
  for (const path of ordered) for (const name of namesOf(sources[path] ?? "")) claim(names, name, path);
  return {
    imports: merged(ordered.flatMap((path) => importsOf(sources, path).filter(({ from }) => !(from in sources)))),
    body: ordered.map((path) => `// ${path}\n\n${bodyOf(sources[path] ?? "").trim()}\n`).join("\n"),
    names,
  };
}

function claim(names: Set<string>, name: string, path: string): void {
  if (names.has(name)) throw new Error(`${path}: the name ${name} is taken by another file of the kit`);
  names.add(name);
}

const namesOf = (text: string) => [...text.matchAll(aName)].map(([, name = ""]) => name);

/** What is exported stays so: without the word a line could be one that is laid out in another way. */
function bodyOf(text: string): string {
  const body = text.replace(anImport, "");
  const rest = body.split("\n").find((line) => /^(?:import|export) /.test(line) && !anExport.test(line));
  if (rest) throw new Error(`the kit has a line that cannot stand in one module: ${rest}`);
  return body;
}

function importsOf(sources: Record<string, string>, path: string): Imported[] {
  return [...(sources[path] ?? "").matchAll(anImport)].map(([line, type, names = "", from = ""]) => {
    if (!names.startsWith("{")) throw new Error(`${path}: only named imports can stand in one module: ${line.trim()}`);
    const all = names
      .slice(1, -1)
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    const renamed = all.find((name) => / as /.test(name));
    if (renamed) throw new Error(`${path}: an import under another name cannot stand in one module: ${renamed}`);
    const isType = (name: string) => type !== undefined || name.startsWith("type ");
    return {
      from: from.startsWith(".") ? joined(path, from) : from,
      values: all.filter((name) => !isType(name)),
      types: all.filter(isType).map((name) => name.replace(/^type /, "")),
    };
  });
}

function joined(path: string, relative: string): string {
  const parts = path.split("/").slice(0, -1);
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** What is used stands before what uses it; constants need it, and it reads well. */
function inOrderOfUse(files: string[], uses: (path: string) => string[]): string[] {
  const ordered = new Set<string>();
  const visit = (path: string, above: string[]) => {
    if (ordered.has(path) || above.includes(path) || !files.includes(path)) return;
    for (const used of uses(path)) visit(used, [...above, path]);
    ordered.add(path);
  };
  for (const path of files) visit(path, []);
  return [...ordered];
}

function merged(imports: Imported[]): PackageImports[] {
  const packages = [...new Set(imports.map(({ from }) => from))].sort();
  return packages.map((from) => {
    const of = imports.filter((one) => one.from === from);
    const values = [...new Set(of.flatMap((one) => one.values))].sort();
    const types = [...new Set(of.flatMap((one) => one.types))].filter((name) => !values.includes(name)).sort();
    return { from, values, types };
  });
}
