const requirements = (...lines: string[]) => `# T\n\n## Requirements\n\n${lines.map((line) => `- ${line}\n`).join("")}`;
const FIRST = "The first one; the second gets the next free id";
const two = (title: string, more = "") => `# T

## User Stories

### User Story 1 - Pay (Priority: P1)

A buyer pays.${more}

1. Given a cart, when I pay, then I get a receipt

### ${title} (Priority: P2)

A seller ships.

1. Given an order, when I ship it, then it is on its way
`;
const offline = [
  "**FR-001**: The app MUST work offline.",
  "**FR-002**: The app requires an internet connection.",
] as const;

/** A document, the answer to the question about a topic in it, and the document that a careful editor makes of them. */
export const editExamples: [topic: string, text: string, answer: string, expected: string][] = [
  [
    "marked",
    requirements("**FR-001**: Bills are kept for [NEEDS CLARIFICATION: how long?]", "**FR-002**: Users can print"),
    "10 years",
    requirements("**FR-001**: Bills are kept for 10 years", "**FR-002**: Users can print"),
  ],
  [
    "marked",
    requirements("**FR-001**: Uploads are limited to TBD.", "**FR-002**: Bills are kept for TBD."),
    "up to 10 MB",
    requirements("**FR-001**: Uploads are limited to 10 MB.", "**FR-002**: Bills are kept for TBD."),
  ],
  [
    "marked",
    `${requirements("Users can print")}\n## Edge Cases\n\n- Offline: [NEEDS CLARIFICATION: how long?]\n- Abroad: [NEEDS CLARIFICATION: how long?]\n`,
    "2 days",
    `${requirements("Users can print")}\n## Edge Cases\n\n- Offline: 2 days\n- Abroad: [NEEDS CLARIFICATION: how long?]\n`,
  ],
  [
    "marked",
    `${requirements("Users can print")}\n## Edge Cases\n\n- [NEEDS CLARIFICATION: who?] may delete shared bills\n`,
    "Owners",
    `${requirements("Users can print")}\n## Edge Cases\n\n- (who: Owners) may delete shared bills\n`,
  ],
  [
    "question",
    `${requirements("Users can print")}\n## Open Questions\n\n- Who may print?\n- Who pays?\n`,
    "Everybody",
    `${requirements("Users can print")}\n## Open Questions\n\n- Who may print? → Everybody\n- Who pays?\n`,
  ],
  [
    "vague",
    requirements("**FR-001**: Search MUST be fast and complete"),
    "Under 1 second",
    requirements("**FR-001**: Search MUST be fast (under 1 second) and complete"),
  ],
  [
    "criterion",
    "# T\n\n## Success Criteria\n\n| Id | What | When |\n|---|---|---|\n| SC-001 | Users are happy. | soon |\n",
    "80% rate it 4 of 5",
    "# T\n\n## Success Criteria\n\n| Id | What | When |\n|---|---|---|\n| SC-001 | Users are happy (measured: 80% rate it 4 of 5). | soon |\n",
  ],
  [
    "number",
    requirements("Sessions MUST end after 15 minutes", "Users MUST be logged out after 30 minutes"),
    "15 minutes",
    requirements("Sessions MUST end after 15 minutes", "Users MUST be logged out after 15 minutes"),
  ],
  [
    "opposite",
    requirements(...offline),
    "FR-001: The app MUST work offline.",
    requirements(
      offline[0],
      "**FR-002**: ~~The app requires an internet connection.~~ (superseded: FR-001: The app MUST work offline)",
    ),
  ],
  [
    "opposite",
    requirements(...offline),
    "Only reading works offline",
    requirements(offline[0], "**FR-002**: The app requires an internet connection (only reading works offline)."),
  ],
  [
    "opposite",
    "# T\n\n## Requirements\n\n| Id | What | When |\n|---|---|---|\n| FR-001 | The app MUST work offline | P1 |\n| FR-002 | The app requires an internet connection | P1 |\n",
    "It works offline",
    "# T\n\n## Requirements\n\n| Id | What | When |\n|---|---|---|\n| FR-001 | The app MUST work offline | P1 |\n| FR-002 | The app requires an internet connection (it works offline) | P1 |\n",
  ],
  [
    "opposite",
    "# T\n\n## Requirements\n\n| Id | What |\n|---|---|\n| FR-001 | The app MUST work offline |\n| FR-002 | The app requires an internet connection |\n",
    "The app MUST work offline",
    "# T\n\n## Requirements\n\n| Id | What |\n|---|---|\n| FR-001 | The app MUST work offline |\n| FR-002 | ~~The app requires an internet connection~~ (superseded: the app MUST work offline) |\n",
  ],
  [
    "denied",
    requirements("System MUST send marketing mails to members", "System MUST NOT send marketing mails to members"),
    "System MUST NOT send marketing mails to members",
    requirements(
      "~~System MUST send marketing mails to members~~ (superseded: System MUST NOT send marketing mails to members)",
      "System MUST NOT send marketing mails to members",
    ),
  ],
  [
    "reserved",
    requirements("Only admins can delete projects", "All members can delete projects"),
    "Only admins can delete projects",
    requirements(
      "Only admins can delete projects",
      "~~All members can delete projects~~ (superseded: only admins can delete projects)",
    ),
  ],
  [
    "field",
    requirements("The phone number is optional", "The phone number is required"),
    "The phone number is required",
    requirements(
      "~~The phone number is optional~~ (superseded: the phone number is required)",
      "The phone number is required",
    ),
  ],
  [
    "exclusive",
    requirements("Reminders MUST be sent by email only", "Reminders MUST be sent by SMS"),
    "Reminders MUST be sent by email only",
    requirements(
      "Reminders MUST be sent by email only",
      "~~Reminders MUST be sent by SMS~~ (superseded: Reminders MUST be sent by email only)",
    ),
  ],
  [
    "scope",
    `${requirements("**FR-001**: Users can export photo albums", "**FR-002**: Users can print")}\n## Out of Scope\n\n- Exporting photo albums\n`,
    "No, it stays out of scope",
    `${requirements("**FR-001**: ~~Users can export photo albums~~ (superseded: out of scope)", "**FR-002**: Users can print")}\n## Out of Scope\n\n- Exporting photo albums\n`,
  ],
  [
    "scope",
    `${requirements("**FR-001**: Users can export photo albums")}\n## Out of Scope\n\n- Exporting photo albums\n`,
    "Yes, it is part of this version",
    `${requirements("**FR-001**: Users can export photo albums")}\n## Out of Scope\n\n- ~~Exporting photo albums~~ (superseded: part of this version)\n`,
  ],
  [
    "order",
    two("User Story 2 - Ship", " It depends on User Story 2."),
    "User Story 2 becomes P1",
    two("User Story 2 - Ship", " It depends on User Story 2.").replace("P2", "P1"),
  ],
  [
    "order",
    two("User Story 2 - Ship", " It depends on User Story 2."),
    "Neither: they ship together",
    two("User Story 2 - Ship", " It depends on User Story 2.").replace(
      "(Priority: P1)\n",
      "(Priority: P1)\n\n**Scope**: Neither: they ship together.\n",
    ),
  ],
  [
    "doubled",
    requirements("**FR-001**: Users can print", "**FR-001**: Users can pay", "**FR-002**: Users can ship"),
    FIRST,
    requirements("**FR-001**: Users can print", "**FR-003**: Users can pay", "**FR-002**: Users can ship"),
  ],
  ["doubled", two("User Story 1 - Ship"), FIRST, two("User Story 2 - Ship")],
  [
    "doubled",
    two("User Story 1 - Ship"),
    "They are one story: only the first holds",
    two("User Story 1 - Ship").replace(
      "(Priority: P2)\n",
      "(Priority: P2)\n\n**Scope**: They are one story: only the first holds.\n",
    ),
  ],
  [
    "dangling",
    requirements("**FR-001**: Users can print", "**FR-002**: Users can pay, as in FR-009"),
    "FR-001",
    requirements("**FR-001**: Users can print", "**FR-002**: Users can pay, as in FR-001"),
  ],
  [
    "dangling",
    requirements("**FR-001**: Users can print", "**FR-002**: Users can pay, as in FR-009"),
    "nothing any more",
    requirements("**FR-001**: Users can print", "**FR-002**: Users can pay, as in FR-009 (nothing any more)"),
  ],
  [
    "placeholder",
    requirements("**FR-001**: Sessions end after [X] minutes", "**FR-002**: Users can print"),
    "30",
    requirements("**FR-001**: Sessions end after 30 minutes", "**FR-002**: Users can print"),
  ],
  [
    "placeholder",
    requirements('**FR-001**: [specific capability, e.g., "let users sign in"]', "**FR-002**: Users can print"),
    "Nothing: leave this part out",
    requirements(
      '**FR-001**: ~~[specific capability, e.g., "let users sign in"]~~ (superseded: Nothing: leave this part out)',
      "**FR-002**: Users can print",
    ),
  ],
  [
    "gap",
    `${requirements("Users MUST be able to upload photos\n  - also from the phone\n    - and from the tablet")}\n## Assumptions\n\n- Few\n`,
    "10 MB",
    `${requirements("Users MUST be able to upload photos\n  - also from the phone\n    - and from the tablet", "System MUST limit the size of an uploaded file: 10 MB.")}\n## Assumptions\n\n- Few\n`,
  ],
  [
    "scenario",
    "# T\n\n## User Stories\n\n### User Story 1 - Pay\n\nA buyer pays.\n\n## Requirements\n\n- Users can pay\n",
    "Given a cart, When I pay, Then I get a receipt",
    "# T\n\n## User Stories\n\n### User Story 1 - Pay\n\nA buyer pays.\n\n**Acceptance Scenarios**:\n\n1. Given a cart, When I pay, Then I get a receipt.\n\n## Requirements\n\n- Users can pay\n",
  ],
  [
    "scenario",
    "# T\n\n## User Stories\n\n### User Story 1 - Pay\n\nA buyer pays.\n",
    "Left out of this version",
    "# T\n\n## User Stories\n\n### User Story 1 - Pay\n\n**Scope**: Left out of this version.\n\nA buyer pays.\n",
  ],
  ["priority", two("User Story 2 - Ship").replace(" (Priority: P2)", ""), "P2", two("User Story 2 - Ship")],
  [
    "requirements",
    "# T\n\n## User Stories\n\n### User Story 1 - Pay\n\n1. Given a cart, when I pay, then I get a receipt\n\n## Success Criteria\n\n- 90% pay\n",
    "System MUST take cards",
    "# T\n\n## User Stories\n\n### User Story 1 - Pay\n\n1. Given a cart, when I pay, then I get a receipt\n\n## Requirements\n\n### Functional Requirements\n\n- **FR-001**: System MUST take cards.\n\n## Success Criteria\n\n- 90% pay\n",
  ],
  [
    "untold",
    `${two("User Story 2 - Ship parcels")}\n## Requirements\n\n- **FR-001**: Buyers MUST be able to pay for a cart and get a receipt\n- **FR-002**: Carts MUST show the price\n`,
    "System MUST print labels",
    `${two("User Story 2 - Ship parcels")}\n## Requirements\n\n- **FR-001**: Buyers MUST be able to pay for a cart and get a receipt\n- **FR-002**: Carts MUST show the price\n- **FR-003**: System MUST print labels.\n`,
  ],
  [
    "untold",
    `${two("User Story 2 - Ship parcels")}\n## Requirements\n\n- **FR-001**: Buyers MUST be able to pay for a cart and get a receipt\n- **FR-002**: Carts MUST show the price\n`,
    "Left out of this version",
    `${two("User Story 2 - Ship parcels")}\n## Requirements\n\n- **FR-001**: Buyers MUST be able to pay for a cart and get a receipt\n- **FR-002**: Carts MUST show the price\n\n## Out of Scope\n\n- User Story 2: Ship parcels.\n`,
  ],
  [
    "stories",
    requirements("Users can print"),
    "Staff",
    "# T\n\n## User Scenarios & Testing\n\n- Used first by: staff.\n\n## Requirements\n\n- Users can print\n",
  ],
  [
    "criteria",
    `${requirements("Users can print")}\n## Success Criteria\n`,
    "90% print",
    `${requirements("Users can print")}\n## Success Criteria\n\n- **SC-001**: 90% print.\n`,
  ],
  [
    "edge-answer",
    `${requirements("Users can print")}\n## Edge Cases\n\n- What happens when the printer burns?\n- The paper is out: a message says so.\n`,
    "the fire brigade is called",
    `${requirements("Users can print")}\n## Edge Cases\n\n- What happens when the printer burns? The fire brigade is called.\n- The paper is out: a message says so.\n`,
  ],
  [
    "edge-cases",
    requirements("Users can print"),
    "A message says so",
    "# T\n\n## Edge Cases\n\n- When something goes wrong: a message says so.\n\n## Requirements\n\n- Users can print\n",
  ],
  [
    "empty",
    "",
    "Users can print",
    "## Requirements\n\n### Functional Requirements\n\n- **FR-001**: Users can print.\n",
  ],
  [
    "no-spec",
    "# Notes\n\nThe weather was fine.\n",
    "Users can print",
    "# Notes\n\nThe weather was fine.\n\n## Requirements\n\n### Functional Requirements\n\n- **FR-001**: Users can print.\n",
  ],
  [
    "no-spec",
    "# Notes\n\nThe weather was fine.\n",
    "Nothing: this document is no spec",
    "# Notes\n\nThe weather was fine.\n",
  ],
];
