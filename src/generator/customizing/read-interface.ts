import { parse } from "@babel/parser";
import { customizationsIn } from "../emitting/customizations.ts";
import type { Customization } from "../kit/customizing/customization.ts";
import { customized } from "../kit/customizing/customized.ts";
import type { ApiDescriptor, InterfaceDescriptor, Json, Resource, Settings } from "../kit/descriptor.ts";
import type { SeenInterface } from "./vocabulary.ts";

/** What the code of an interface says of it. */
export interface ReadInterface {
  descriptor: InterfaceDescriptor;
  customizations: Customization[];
}

/** Behind it are the screens, which are the same in every interface. */
const theApp = "\nexport default function App(";

/** The descriptors in the code of a generated interface, also after people changed them; undefined if it is none. Nothing of it is run. */
export function readInterface(code: string): ReadInterface | undefined {
  const customizations = customizationsIn(code);
  const end = code.indexOf(theApp);
  if (!customizations || end < 0) return undefined;
  try {
    return { descriptor: descriptorIn(code.slice(0, end)), customizations };
  } catch (error) {
    if (error instanceof NoData || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What a person sees of it: with all that they wished for. */
export function seen(descriptor: InterfaceDescriptor, customizations: Customization[]): SeenInterface {
  const { api, resources } = customized(descriptor, customizations);
  return { api, resources: resources.map(({ load }) => load() as Resource) };
}

function descriptorIn(code: string): InterfaceDescriptor {
  const { program } = parse(code, { sourceType: "module", plugins: ["typescript", "jsx"] });
  const data = new Data(program.body);
  const resources = data.ofType("Resource") as unknown as Resource[];
  const settings = data.member("interfaceDescriptor", "settings") as unknown as Settings;
  return {
    api: data.named("apiDescriptor") as unknown as ApiDescriptor,
    resources: resources.map((resource) => ({ ...resource, load: () => resource })),
    settings,
  };
}

type Statement = ReturnType<typeof parse>["program"]["body"][number];
type Declarator = Extract<Statement, { type: "VariableDeclaration" }>["declarations"][number];
type Expression = NonNullable<Declarator["init"]>;
type ObjectExpression = Extract<Expression, { type: "ObjectExpression" }>;

class NoData extends Error {}

interface Declared {
  type?: string;
  value: Expression;
}

/** The constants at the top of a module, each as the data that it is, and functions that only give some. */
class Data {
  readonly #declared = new Map<string, Declared>();
  readonly #known = new Map<string, Json>();

  constructor(body: Statement[]) {
    for (const statement of body) {
      if (statement.type === "VariableDeclaration") {
        for (const { id, init } of statement.declarations) {
          if (id.type === "Identifier" && init)
            this.#declared.set(id.name, { type: typeOf(id.typeAnnotation), value: init });
        }
      } else if (statement.type === "FunctionDeclaration" && statement.id) {
        const [only] = statement.body.body;
        if (only?.type === "ReturnStatement" && only.argument)
          this.#declared.set(statement.id.name, { type: typeOf(statement.returnType), value: only.argument });
      }
    }
  }

  ofType(type: string): Json[] {
    return [...this.#declared].filter(([, one]) => one.type === type).map(([name]) => this.named(name));
  }

  named(name: string): Json {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const declared = this.#declared.get(name);
    if (!declared) throw new NoData(name);
    this.#declared.delete(name); // what is made of itself is no data
    const value = this.#data(declared.value);
    this.#known.set(name, value);
    return value;
  }

  /** Of an object that is not data as a whole. */
  member(name: string, key: string): Json {
    const value = this.#declared.get(name)?.value;
    const found =
      value?.type === "ObjectExpression"
        ? value.properties.find((one) => "key" in one && keyOf(one) === key)
        : undefined;
    if (found?.type !== "ObjectProperty") throw new NoData(name);
    return this.#data(found.value as Expression);
  }

  #data(node: Expression): Json {
    switch (node.type) {
      case "StringLiteral":
      case "NumericLiteral":
      case "BooleanLiteral":
        return node.value;
      case "NullLiteral":
        return null;
      case "Identifier":
        return this.named(node.name);
      case "UnaryExpression":
        if (node.operator === "-") return -Number(this.#data(node.argument));
        throw new NoData(node.operator);
      case "TemplateLiteral":
        if (node.expressions.length > 0) throw new NoData(node.type);
        return node.quasis.map(({ value }) => value.cooked ?? "").join("");
      case "ArrayExpression":
        return node.elements.map((one) => this.#data(one as Expression));
      case "ObjectExpression":
        return this.#object(node);
      default:
        throw new NoData(node.type);
    }
  }

  #object({ properties }: ObjectExpression): Json {
    const object: { [key: string]: Json } = {};
    for (const one of properties) {
      if (one.type !== "ObjectProperty") throw new NoData(one.type);
      const value = this.#data(one.value as Expression);
      // Assigning to "__proto__" would not make it a key.
      Object.defineProperty(object, keyOf(one), { value, enumerable: true, configurable: true, writable: true });
    }
    return object;
  }
}

function keyOf({ key }: { key: { type: string } }): string {
  if (key.type === "Identifier") return (key as { name?: string }).name ?? "";
  if (key.type === "StringLiteral" || key.type === "NumericLiteral") return String((key as { value?: unknown }).value);
  throw new NoData(key.type);
}

function typeOf(annotation: unknown): string | undefined {
  const { typeAnnotation } = (annotation ?? {}) as { typeAnnotation?: { typeName?: { name?: string } } };
  return typeAnnotation?.typeName?.name;
}
