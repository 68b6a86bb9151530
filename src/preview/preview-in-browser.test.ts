import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtCommand } from "../testing/built-command.ts";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { ownDescriptions } from "../testing/descriptions.ts";
import { ask, begun, frameOf, generated, shownVersion } from "../testing/preview-page.ts";
import { ServeProcess, serveProcesses } from "../testing/serve-process.ts";

// The command as users have it: from a description to an interface, changed by words, asked back about, and gone back to.

const { place, launch } = serveProcesses();
const museum = readFileSync(join(ownDescriptions, "museum.yaml"), "utf8");

describeInChromium("the preview", () => {
  const { newPage } = chromiumFixture({ whole: true });

  test("generates, customizes by prompt, clarifies and reverts, and the frame follows", async () => {
    const server = await launch(place()).ready();
    const page = await begun(server, await newPage());
    const frame = await generated(page, museum);
    const log = page.getByRole("log");
    await log.getByText(/^Generated interface with/).waitFor();
    await frame.getByRole("link", { name: "Special events" }).first().click();
    await frame.getByRole("table").waitFor();

    await ask(page, "use cards");
    await page.getByRole("button", { name: "Museum hours", exact: true }).click();
    await log.getByText("Museum hours are shown as cards.").waitFor();
    await expect.poll(() => shownVersion(page)).toBe("2");
    await frame.getByRole("heading", { name: "Special events", level: 1 }).waitFor(); // where the person was

    await ask(page, "show special events as cards");
    await log.getByText("Special events are shown as cards.").waitFor();
    await expect.poll(() => shownVersion(page)).toBe("3");
    await frame.getByRole("heading", { name: "Special events", level: 1 }).waitFor();
    await expect.poll(() => frame.getByRole("table").count()).toBe(0);

    await page.getByRole("button", { name: "Version 3", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Versions" });
    await dialog.getByRole("button", { name: "Revert to version 1 …" }).click();
    await dialog.getByLabel("Changes").getByText("cards").first().waitFor();
    await dialog.getByRole("button", { name: "Revert to version 1", exact: true }).click();
    await expect.poll(() => shownVersion(page)).toBe("4");
    await frame.getByRole("table").waitFor();
    await page.getByRole("button", { name: "Version 4", exact: true }).waitFor();
  }, 120_000);

  test("is where generate --serve leads to", async () => {
    const where = place();
    const command = new ServeProcess(where, [join(ownDescriptions, "museum.yaml"), "--serve", "--no-open"], {}, [
      builtCommand,
      "generate",
    ]);
    onTestFinished(async () => {
      command.child.kill("SIGKILL");
      await command.exit;
    });
    const link = /http:\S+(?= \(once)/;
    await command.until(() => link.test(command.stderr), "the link");
    const page = await newPage();
    await page.goto(link.exec(command.stderr)?.[0] ?? "");
    await frameOf(page).getByRole("heading", { name: "Redocly Museum API", level: 1 }).waitFor();
    expect(new URL(page.url())).toMatchObject({
      pathname: "/preview",
      hash: expect.stringMatching(/^#[0-9a-f-]{36}$/),
    });
    await ask(page, "show special events as cards");
    await page.getByRole("log").getByText("Special events are shown as cards.").waitFor();
    await expect.poll(() => shownVersion(page)).toBe("2");
    command.child.kill("SIGINT");
    expect(await command.exit).toBe(130);
  }, 60_000);

  test("makes the interface anew from a changed description, and keeps what was wished for", async () => {
    const server = await launch(place()).ready();
    const page = await begun(server, await newPage());
    const frame = await generated(page, museum);
    await ask(page, "show special events as cards");
    await expect.poll(() => shownVersion(page)).toBe("2");
    await page.locator("#update-file").setInputFiles({
      name: "museum-2.yaml",
      mimeType: "text/yaml",
      buffer: Buffer.from(museum.replace("title: Redocly Museum API", "title: Another Museum")),
    });
    await expect.poll(() => shownVersion(page)).toBe("3");
    await frame.getByText("Another Museum").first().waitFor();
    await frame.getByRole("link", { name: "Special events" }).first().click();
    await frame.getByRole("heading", { name: "Special events", level: 1 }).waitFor();
    expect(await frame.getByRole("table").count()).toBe(0);
  }, 60_000);
});
