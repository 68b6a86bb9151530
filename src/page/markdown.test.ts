import { expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { serveProcesses } from "../testing/serve-process.ts";
import { strangers } from "../testing/stranger.ts";

// What agents write, as the page of a real server draws it.

const { place, launch } = serveProcesses();
const newStranger = strangers();

/** Runs in the browser: the elements that a text becomes, as HTML. */
const drawn = (text: string) => `import("/page/markdown.js").then(({ markdown }) => {
  const box = document.createElement("div");
  box.append(...markdown(${JSON.stringify(text)}));
  document.body.append(box);
  return box.innerHTML;
})`;

describeInChromium("the Markdown of an answer", () => {
  const { newPage } = chromiumFixture();

  test("becomes paragraphs, lists, code and what is bold", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await page.goto(server.url);
    const examples = {
      "one\ntwo\n\n\nthree": "<p>one\ntwo</p><p>three</p>",
      "run `npm **x**` **now**": "<p>run <code>npm **x**</code> <strong>now</strong></p>",
      "2 ** 3 ** 4, `open, ** and **": "<p>2 ** 3 ** 4, `open, ** and **</p>",
      "`` a `b` `` and ``c`": "<p><code>a `b`</code> and ``c`</p>",
      "so:\n- a\n  goes on\n* `b`\n": "<p>so:</p><ul><li>a\ngoes on</li><li><code>b</code></li></ul>",
      "1. a\n2) b\n- c\n3. d": '<ol><li>a</li><li>b</li></ol><ul><li>c</li></ul><ol start="3"><li>d</li></ol>',
      "```ts\n  a < b;\n\n- no item\n```\nafter": "<pre><code>  a &lt; b;\n\n- no item</code></pre><p>after</p>",
      "~~~\n```\n~~~": "<pre><code>```</code></pre>",
      "```\nleft open": "<pre><code>left open</code></pre>",
      "# no heading, -no item": "<p># no heading, -no item</p>",
      "\n \n": "",
    };
    const found = await Promise.all(Object.keys(examples).map((text) => page.evaluate(drawn(text))));
    expect(found).toEqual(Object.values(examples));
  });

  test("makes nothing that loads, leads somewhere, runs or hides", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    const stranger = await newStranger();
    await page.goto(server.url);
    const { url } = stranger;
    const hostile = [
      `<img src="${url}/a" onerror="document.title='owned'"><script>document.title='owned'</script>`,
      `![image](${url}/b) [link](javascript:alert(1)) <javascript:alert(1)> ${url}/c`,
      `**<b onclick="alert(1)">** \`<svg onload=alert(1)>\``,
      `- <iframe src="${url}/d"></iframe>\n1. <style>@import "${url}/e"</style>`,
      `\`\`\`html" onload="alert(1)\n</code></pre><script>alert(1)</script>\n\`\`\``,
      "a\u001b[31m\u001b]0;owned\u0007\u202egnp\u202c **b\u200b** &lt;i&gt; `c\u2066`",
    ];
    const text = hostile.join("\n\n");
    const tags = await page.evaluate(
      `${drawn(text)}.then(() => [...new Set([...document.body.lastElementChild.querySelectorAll("*")].map((e) => e.tagName))].sort())`,
    );
    expect(tags).toEqual(["CODE", "LI", "OL", "P", "PRE", "STRONG", "UL"]);
    const attributes = `[...document.body.lastElementChild.querySelectorAll("*")].flatMap((e) => e.getAttributeNames())`;
    expect(await page.evaluate(attributes)).toEqual([]);
    const shown = String(await page.evaluate("document.body.lastElementChild.textContent"));
    expect(shown).toContain(hostile[0]);
    expect(shown).toContain(hostile[1]);
    expect(shown).toContain(`<b onclick="alert(1)"> <svg onload=alert(1)>`);
    expect(shown).toContain("agnp b &lt;i&gt; c");
    expect([await page.title(), stranger.asked]).toEqual(["Dragoman", []]);
  });

  test("takes no longer for what is made to take long", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    await page.goto(server.url);
    for (const part of ["`", "**", "**a", "- ", "1. a\n", "```\n", "* * ", " \t", "**a `b\n", "` `` ", " `a``b"]) {
      const text = part.repeat(20_000 / part.length);
      const took = await page.evaluate(
        `(async () => { const began = performance.now(); await ${drawn(text)}; return performance.now() - began; })()`,
      );
      expect(took, JSON.stringify(part)).toBeLessThan(5000);
    }
  });
});
