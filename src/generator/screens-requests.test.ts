import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { chromiumFixture, describeInChromium } from "../testing/chromium.ts";
import { type Answer, type Asked, recordingApi } from "../testing/interface-api.ts";
import { add, describedBy, field, fill, group, summaryLines, unfold } from "../testing/interface-form.ts";
import { connect, visit } from "../testing/interface-live.ts";
import { interfaceServers } from "../testing/interface-page.ts";
import { specOf } from "../testing/interface-simulated.ts";
import { specimen } from "../testing/interface-specimen.ts";
import { machine, workshop } from "../testing/interface-workshop.ts";
import { generate } from "./generate.ts";

// What a real server gets of what is entered, and what becomes of its answer.

describeInChromium("what is entered into a generated interface", () => {
  const { newPage } = chromiumFixture();
  const serve = interfaceServers();
  let url = "";
  let api: Awaited<ReturnType<typeof recordingApi>>;
  let refusal: Answer | undefined;
  const server = workshop();
  beforeAll(async () => {
    url = await serve("Workshop", generate(specOf(specimen), { theme: "system" }).code);
    api = await recordingApi((asked) => (asked.method !== "GET" && refusal) || server(asked));
  });
  beforeEach(() => {
    api.asked.length = 0;
    refusal = undefined;
  });

  async function open(screen: string): Promise<Page> {
    const page = await newPage({ viewport: { width: 1280, height: 2600 }, timezoneId: "Europe/Berlin" });
    await page.goto(`${url}#/machine`);
    await connect(page, api.url);
    await page.getByText("Old press").waitFor();
    await visit(page, screen);
    return page;
  }

  async function openForm(screen: string): Promise<Page> {
    const page = await open(screen);
    await unfold(page);
    return page;
  }

  const create = (page: Page) => page.getByRole("button", { name: "Create machine" });
  const save = (page: Page) => page.getByRole("button", { name: "Save changes" });
  const sentBy = async (method: string): Promise<Asked> => {
    await expect.poll(() => api.asked.filter((one) => one.method === method).length).toBe(1);
    return api.asked.find((one) => one.method === method) ?? expect.fail();
  };

  async function fillParts(page: Page): Promise<void> {
    const parts = group(page, "Parts");
    for (const [index, label] of ["Bolt", "Nut"].entries()) {
      await add(parts).click();
      const part = parts.getByRole("group", { name: `Part ${index + 1}`, exact: true });
      await part.getByLabel(/^Label/).fill(label);
      await part.getByLabel("Amount").fill(String(index + 1));
    }
    await parts.getByRole("button", { name: "Move Part 2 up" }).click();
  }

  async function fillMap(page: Page): Promise<void> {
    const ratings = group(page, "Ratings");
    await add(ratings).click();
    await ratings.getByLabel("Ratings 1: name").fill("quality");
    await ratings.getByLabel("Ratings 1: value").fill("4");
  }

  async function choose(page: Page): Promise<void> {
    await field(page, "Kind").selectOption({ label: "Lathe" });
    await page.getByRole("switch", { name: /^Active/ }).check();
    await group(page, "Tested").getByText("No", { exact: true }).click();
    for (const colour of ["Blue", "Red"]) await group(page, "Colours").getByLabel(colour).check();
    await group(page, "Drive").getByLabel("Kind of drive").selectOption({ label: "Electric" });
    await group(page, "Drive")
      .getByLabel(/^Voltage/)
      .fill("230");
    await field(page, "Owner ID").fill("gra");
    await page.getByRole("option", { name: /Grace/ }).click();
  }

  test("arrives as what it is", async () => {
    const page = await openForm("#/machine/new");
    expect(await field(page, "ID").count()).toBe(0);
    await fill(page, {
      ...{ Name: "New lathe", Code: "AB-123", Weight: "12.50", Batch: "15", "Made on": "2024-02-29" },
      ...{ "Serviced at": "2026-07-04T10:30", "Opens at": "08:15", Nickname: "Nick", Secret: "hunter2" },
      ...{ Contact: "ada@example.com", Homepage: "https://example.com", Street: "Main Street" },
      ...{ Spare: '{ "name": "Spare", "spare": { "name": "Its spare" } }', Settings: '{ "speed": [1, 2.5, null] }' },
    });
    await choose(page);
    await fillParts(page);
    await fillMap(page);
    await add(group(page, "Tags")).click();
    await group(page, "Tags").getByLabel("Tag 1", { exact: true }).fill("heavy");
    await create(page).click();
    const { path, headers, body } = await sentBy("POST");
    expect([path, headers["content-type"]]).toEqual(["/machines", "application/json"]);
    expect(JSON.parse(body)).toEqual({
      ...{ name: "New lathe", kind: "lathe", code: "AB-123", weight: 12.5, batch: 15, madeOn: "2024-02-29" },
      ...{ servicedAt: "2026-07-04T08:30:00Z", opensAt: expect.stringMatching(/^08:15:00/) },
      ...{ nickname: "Nick", secret: "hunter2", contact: "ada@example.com", homepage: "https://example.com" },
      ...{ active: true, tested: false, address: { street: "Main Street" } },
      parts: [
        { label: "Nut", amount: 2 },
        { label: "Bolt", amount: 1 },
      ],
      ...{ colours: ["blue", "red"], tags: ["heavy"], ratings: { quality: 4 } },
      drive: { type: "electric", voltage: 230 },
      spare: { name: "Spare", spare: { name: "Its spare" } },
      settings: { speed: [1, 2.5, null] },
      ownerId: "o2",
    });
    await page.getByRole("heading", { level: 1, name: "New lathe" }).waitFor();
    expect(await page.locator("main").innerText()).not.toContain("hunter2");
  });

  test("leaves the rest of a record as it is when that is replaced", async () => {
    const page = await openForm("#/machine/m1/edit");
    await fill(page, { Nickname: "", City: "Basel" });
    await save(page).click();
    const { path, body } = await sentBy("PUT");
    const { id: _, ...others } = machine;
    const sent = { ...others, nickname: null, address: { street: "Main Street", city: "Basel" } };
    expect([path, JSON.parse(body)]).toEqual(["/machines/m1", sent]);
  });

  test("is all that an update names, beside what it must", async () => {
    const page = await openForm("#/owner/o1/edit");
    await fill(page, { Email: "ada@example.org" });
    await save(page).click();
    const { path, body } = await sentBy("PATCH");
    expect([path, JSON.parse(body)]).toEqual(["/owners/o1", { name: "Ada", email: "ada@example.org" }]);
  });

  const refused = {
    status: 422,
    json: {
      message: "Not like this.",
      errors: [
        { field: "address.street", message: "There is no such street." },
        { field: "parts[0].label", message: "Out of stock." },
        { field: "name", message: "There is one of this name." },
      ],
    },
  };

  test("is refused by the server at the field it is about, until that is changed", async () => {
    const page = await openForm("#/machine/new");
    refusal = refused;
    await fill(page, { Name: "New lathe", Street: "Nowhere" });
    await field(page, "Kind").selectOption({ label: "Lathe" });
    await add(group(page, "Parts")).click();
    await group(page, "Parts")
      .getByLabel(/^Label/)
      .fill("Bolt");
    await create(page).click();
    const alert = page.getByRole("alert").filter({ hasText: "Not like this." });
    await expect.poll(() => alert.and(page.locator(":focus")).count()).toBe(1);
    expect(await summaryLines(page)).toEqual([
      "Address › Street: There is no such street.",
      "Parts › 1 › Label: Out of stock.",
      "Name: There is one of this name.",
    ]);
    const street = field(page, "Street");
    expect(await describedBy(page, street)).toContain("There is no such street.");
    await alert.getByRole("button", { name: "Address › Street" }).click();
    expect(await street.and(page.locator(":focus")).count()).toBe(1);
    await street.fill("Main Street");
    expect(await street.getAttribute("aria-invalid")).toBe(null);
    expect(await field(page, "Name").getAttribute("aria-invalid")).toBe("true");
  });

  test("is kept when the server asks who one is, and is sent after signing in", async () => {
    const page = await openForm("#/owner/o1/edit");
    refusal = { status: 401, json: { message: "Who are you?" } };
    await fill(page, { Email: "ada@example.org" });
    await save(page).click();
    await signInFrom(page, page.getByRole("alert").filter({ hasText: "Who are you?" }));
    await page.getByText("You are connected: try again.").and(page.locator(":focus-within, :focus *")).waitFor();
    refusal = undefined;
    api.asked.length = 0;
    await save(page).click();
    expect(JSON.parse((await sentBy("PATCH")).body)).toEqual({ name: "Ada", email: "ada@example.org" });
    await page.getByText("Saved Ada.").waitFor();
  });

  test("is kept in the dialog of an action, too, and a deletion can be tried again", async () => {
    const page = await open("#/machine/m1");
    refusal = { status: 401, json: { message: "Who are you?" } };
    await page.getByRole("button", { name: "Start machine" }).click();
    const dialog = page.getByRole("dialog", { name: /^Start machine/ });
    await dialog.getByLabel(/^Speed/).fill("4");
    await dialog.getByRole("button", { name: "Start machine" }).click();
    await signInFrom(page, dialog.getByRole("alert"));
    expect(await dialog.getByLabel(/^Speed/).inputValue()).toBe("4");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    const deletion = page.getByRole("dialog", { name: /^Delete machine/ });
    await deletion.getByRole("button", { name: "Delete" }).click();
    await signInFrom(page, deletion.getByRole("alert"));
    refusal = undefined;
    await deletion.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted Old press.").waitFor();
  });

  async function signInFrom(page: Page, refused: Locator): Promise<void> {
    await refused.getByRole("button", { name: "Connect" }).click();
    const dialog = page.getByRole("dialog", { name: "Connect to the API" });
    await dialog.getByRole("button", { name: "Reconnect" }).click();
    await dialog.waitFor({ state: "detached" });
  }

  test("can be a file, which is sent as one", async () => {
    const page = await open("#/machine/m1");
    await page.getByRole("button", { name: "Upload photo" }).click();
    const dialog = page.getByRole("dialog");
    const upload = dialog.getByRole("button", { name: "Upload photo" });
    await upload.click();
    await dialog.getByText("File: This is required.").waitFor();
    const file = { name: "press.txt", mimeType: "text/plain", buffer: Buffer.from("a picture") };
    await dialog.getByLabel(/^File/).setInputFiles(file);
    await dialog.getByLabel("Caption").fill("Front");
    await upload.click();
    const { path, headers, body } = await sentBy("POST");
    expect(path).toBe("/machines/m1/photo");
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toMatch(/name="file"; filename="press.txt"\r\nContent-Type: text\/plain\r\n\r\na picture\r\n/);
    expect(body).toMatch(/name="caption"\r\n\r\nFront\r\n/);
    await page.getByText("Upload photo: done.").waitFor();
  });

  test("goes below the record that it belongs to, which is asked for if it is not known", async () => {
    const page = await openForm("#/owner-note/new?ownerId=o1");
    await fill(page, { Title: "Call Ada" });
    await page.getByRole("button", { name: "Create note" }).click();
    const { path, body } = await sentBy("POST");
    expect([path, JSON.parse(body)]).toEqual(["/owners/o1/notes", { title: "Call Ada" }]);
    await page.getByRole("heading", { level: 1, name: "Call Ada" }).waitFor();
    await visit(page, "#/owner-note");
    await page.getByText(/^Say Owner/).waitFor();
  });

  test("is deleted by its key", async () => {
    const page = await open("#/machine/m1");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted Old press.").waitFor();
    expect((await sentBy("DELETE")).path).toBe("/machines/m1");
  });
});
