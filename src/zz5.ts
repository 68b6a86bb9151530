import { refusedConstructs } from "./checking/refused-code.ts";
import { typeProblems } from "./checking/type-problems.ts";
const codes: Record<string,string> = {
  paramDefault: "export function f(w = parent) { let parent = 1; return [w, parent]; }",
  namespaceTypes: "namespace top { export type A = 1 }\nexport const w = top;",
  eventView: "export default () => <p onClick={(e) => e.nativeEvent.view!.parent.postMessage(1, '*')} />;",
  reflect: "export const F = Reflect.get(() => 1, 'constr' + 'uctor');",
  enumDeclare: "declare enum parent { A }\nexport const w = parent;",
  constEnum: "const enum parent { A = 1 }\nexport const w = parent;",
  srcdoc: "export default () => <iframe srcDoc='<script>parent.x</script>' />;",
  inner: "export default () => <p dangerouslySetInnerHTML={{__html:'<img src=x onerror=parent.x>'}} />;",
  taggedTs: "export const a = 1 as unknown as string; export type X = `${string}`;",
  tsInStr: "export const a = 'http://@ts-ignore';",
};
for (const [k, c] of Object.entries(codes)) console.log(k, JSON.stringify(refusedConstructs(c)));
for (const c of ["/* a */ // @ts-nocheck\nexport const a: number = '1';", "// a\n/* x @ts-nocheck */\nexport const a: number = '1';", "export const a: number =\n/* hello\n @ts-ignore */ '1';", "export const p = <div>\n{/* x\n @ts-ignore */}\n<p id={7} /></div>;", "export const a: number = // eslint @ts-ignore\n '1';","export const a: number = /* eslint\n // @ts-expect-error */\n '1';", "export const a: number = // @ts-ignore-x\n '1';", "export const a: number =\n/*\n** - @ts-ignore */\n '1';"]) console.log(JSON.stringify(c), JSON.stringify(await typeProblems(c)));
const boom = "type A = 'xxxxxxxxxx';\n" + Array.from({length: 40}, (_, i) => `type A${i} = \`\${${i ? "A" + (i-1) : "A"}}\${${i ? "A" + (i-1) : "A"}}\`;`).join("\n") + "\nexport const a: A39 = 5;";
let s = Date.now(); console.log(JSON.stringify(await typeProblems(boom)).slice(0, 300), Date.now() - s);
