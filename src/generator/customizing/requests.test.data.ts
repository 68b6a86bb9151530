import type { Wish } from "../kit/customizing/customization.ts";

// What people say, and what is to be otherwise afterwards. `touches` are the parts of the interface that may change, and no others:
// ids of resources, "settings", "title", "navigation", "figures", "actions".

export interface Request {
  says: string;
  wishes: Wish[];
  touches: string[];
}

const request = (says: string, wishes: Wish | Wish[], ...touches: string[]): Request => ({
  says,
  wishes: [wishes].flat(),
  touches,
});

const petstore = [
  request("Show pets as cards", { change: "view", resource: "pet", view: "cards" }, "pet"),
  request("hide the id column", { change: "columnShown", resource: "pet", field: "id", shown: false }, "pet"),
  request("dark mode", { change: "theme", theme: "dark" }, "settings"),
  request(
    "ask before deleting",
    { change: "operationConfirmed", operation: "remove", ask: true },
    "pet",
    "order",
    "user",
  ),
  request("sort pets by name", { change: "order", resource: "pet", field: "name", descending: false }, "pet"),
  request(
    "rename Pet to Animal",
    { change: "resourceName", resource: "pet", name: "Animal", plural: "Animals" },
    ...["navigation", "pet"],
  ),
  request("put status first", { change: "columnPlace", resource: "pet", field: "status", place: "first" }, "pet"),
  request("20 per page", { change: "pageSize", size: 20 }, "pet", "order", "user"),
  request(
    "Could you please only show available pets?",
    { change: "rows", resource: "pet", field: "status", values: ["available"] },
    "pet",
  ),
  request("hide sold pets", { change: "rows", resource: "pet", field: "status", values: ["sold"], not: true }, "pet"),
  request(
    "make sold red",
    { change: "optionTone", resource: "pet", field: "status", value: "sold", tone: "bad" },
    "pet",
  ),
  request(
    "I don't want to see the tags",
    { change: "fieldShown", resource: "pet", field: "tags", shown: false },
    "pet",
  ),
  request(
    "remove the delete button from users",
    { change: "operationOffered", resource: "user", operation: "remove", offered: false },
    "user",
  ),
  request(
    "make orders read-only",
    [
      { change: "operationOffered", resource: "order", operation: "create", offered: false },
      { change: "operationOffered", resource: "order", operation: "remove", offered: false },
    ],
    "order",
  ),
  request("default quantity to 1", { change: "fieldDefault", resource: "order", field: "quantity", value: 1 }, "order"),
  request("make email required", { change: "fieldRequired", resource: "user", field: "email", required: true }, "user"),
  request("hide the inventory chart", { change: "summaryShown", summary: "get-inventory", shown: false }, "figures"),
  request("show pets as a board by status", { change: "view", resource: "pet", view: "board", by: "status" }, "pet"),
  request("rename the app to Pet Shop", { change: "apiTitle", title: "Pet Shop" }, "title"),
  request(
    "show the category name in pets",
    { change: "columnShown", resource: "pet", field: "category.name", shown: true },
    "pet",
  ),
  request(
    'rename "Upload an image" to "Add photo"',
    { change: "actionLabel", resource: "pet", action: "upload-file", label: "Add photo" },
    "pet",
  ),
  request(
    "hide the staus column in pets", // as it was typed
    { change: "columnShown", resource: "pet", field: "status", shown: false },
    "pet",
  ),
];

const museum = [
  request(
    "show the price in euros",
    { change: "fieldFormat", resource: "special-event", field: "price", format: "currency", currency: "EUR" },
    "special-event",
  ),
  request(
    "sort events by price high to low",
    { change: "order", resource: "special-event", field: "price", descending: true },
    "special-event",
  ),
  request(
    "call museum hours “Opening times”",
    { change: "resourceName", resource: "museum-hour", name: "Opening time", plural: "Opening times" },
    ...["navigation", "museum-hour"],
  ),
  request(
    "hide museum hours from the navigation",
    { change: "resourceShown", resource: "museum-hour", shown: false },
    "navigation",
  ),
  request(
    "put special events first in the menu",
    { change: "resourcePlace", resource: "special-event", place: "first" },
    "navigation",
  ),
  request(
    "don't let people delete events",
    { change: "operationOffered", resource: "special-event", operation: "remove", offered: false },
    "special-event",
  ),
  request(
    "Add a search bar to filter special events by name",
    { change: "search", resource: "special-event", on: true, fields: ["name"] },
    "special-event",
  ),
  request(
    "let me filter events by location",
    { change: "filter", resource: "special-event", field: "location", on: true },
    "special-event",
  ),
  request(
    "only show name, location and price for special events",
    { change: "columns", resource: "special-event", fields: ["name", "location", "price"] },
    "special-event",
  ),
  request("make buttons purple", { change: "accent", color: "#7b2cbf" }, "settings"),
  request("make it more compact", { change: "density", density: "compact" }, "settings"),
  request("hide get ticket QR code", { change: "actionOffered", action: "get-ticket-code", offered: false }, "actions"),
  request("10 events per page", { change: "pageSize", resource: "special-event", size: 10 }, "special-event"),
  request(
    "add help text for location: The hall, not the street",
    { change: "fieldHelp", resource: "special-event", field: "location", text: "The hall, not the street" },
    "special-event",
  ),
];

const swapi = [
  request("I'd like to see people in a grid", { change: "view", resource: "person", view: "cards" }, "person"),
  request(
    "sort planets by population, high to low",
    { change: "order", resource: "planet", field: "population", descending: true },
    "planet",
  ),
  request(
    "hide the edited and created columns in films",
    [
      { change: "columnShown", resource: "film", field: "edited", shown: false },
      { change: "columnShown", resource: "film", field: "created", shown: false },
    ],
    "film",
  ),
  request(
    "move director before title",
    { change: "columnPlace", resource: "film", field: "director", place: { before: "title" } },
    "film",
  ),
  request(
    "rename the mass column to Weight",
    { change: "fieldLabel", resource: "person", field: "mass", label: "Weight" },
    "person",
  ),
  request("start with planets", { change: "home", resource: "planet" }, "settings"),
  request(
    "group films and people under Story",
    [
      { change: "resourceGroup", resource: "film", group: "Story" },
      { change: "resourceGroup", resource: "person", group: "Story" },
    ],
    ...["navigation", "film", "person"],
  ),
  request(
    "describe planets as Worlds of the saga",
    { change: "resourceText", resource: "planet", text: "Worlds of the saga" },
    "planet",
  ),
  request(
    "show the release date as a date",
    { change: "fieldFormat", resource: "film", field: "releaseDate", format: "date" },
    "film",
  ),
  request("put the navigation at the top", { change: "layout", layout: "top" }, "settings"),
  request("bigger text", { change: "textSize", size: "large" }, "settings"),
  request(
    "hide vehicles and 15 films per page",
    [
      { change: "resourceShown", resource: "vehicle", shown: false },
      { change: "pageSize", resource: "film", size: 15 },
    ],
    ...["navigation", "film"],
  ),
];

const library = [
  request(
    "sort books by year, newest first",
    { change: "order", resource: "book", field: "year", descending: true },
    "book",
  ),
  request(
    "rename Book to Volume",
    { change: "resourceName", resource: "book", name: "Volume", plural: "Volumes" },
    "navigation",
    "book",
  ),
  request("show the kind column", { change: "columnShown", resource: "book", field: "kind", shown: true }, "book"),
  request("use subtitle as the title of books", { change: "recordTitle", resource: "book", field: "subtitle" }, "book"),
  request(
    "hide the get cover action",
    { change: "actionOffered", resource: "book", action: "get-cover", offered: false },
    "book",
  ),
  request("no pagination please", { change: "pagination", on: false }, "settings"),
];

const docker = [
  request("show containers as cards", { change: "view", resource: "container", view: "cards" }, "container"),
  request(
    "sort images by size, largest first",
    { change: "order", resource: "image", field: "Size", descending: true },
    "image",
  ),
  request(
    "show the created column as a relative date in images",
    { change: "fieldFormat", resource: "image", field: "Created", format: "relative" },
    "image",
  ),
  request(
    "put volumes first in the navigation",
    { change: "resourcePlace", resource: "volume", place: "first" },
    "navigation",
  ),
];

const github = [
  request("sort issues by title", { change: "order", resource: "issue", field: "title", descending: false }, "issue"),
  request(
    "put state first in issues",
    { change: "columnPlace", resource: "issue", field: "state", place: "first" },
    "issue",
  ),
  request("start on issues", { change: "home", resource: "issue" }, "settings"),
  request("hide the classroom section", { change: "resourceShown", resource: "classroom", shown: false }, "navigation"),
];

/** By the name of the description. Those that are not kept with the project are tried where they are there. */
export const requests: Record<string, Request[]> = {
  "petstore.yaml": petstore,
  "museum.yaml": museum,
  "swapi.graphql": swapi,
  "library.swagger.yaml": library,
  "docker_engine.yaml": docker,
  "octokit_api.github.com.json": github,
};
