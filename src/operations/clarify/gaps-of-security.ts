import type { Gap } from "./gaps.ts";
import { choice } from "./subjects.ts";

/** What must be said to keep people and their data safe. */
export const securityGaps: readonly Gap[] = [
  {
    topic: "authentication",
    impact: "security",
    doubt: "open",
    when: /\b(?:MUST|shall|should|can|able to|want to|needs? to|have to|may|will)\b.{0,40}\b(?:authenticate|log ?in|sign ?in|log on|sign ?up|register|create an? (?:\w+ )?account)\b|\b(?:authentication|log ?in|sign-?in|registration) (?:is|are|must|shall|will be) (?:required|needed|mandatory|supported)|\bMUST (?:\w+ )?authenticate\b|\brequires? (?:authentication|log ?in|sign-?in)/i,
    settledBy:
      /\b(?:passwords?|passkeys?|magic links?|one[- ]time (?:codes?|passwords?|pass)|otp|oauth|openid|oidc|saml|sso|single sign[- ]on|ldap|active directory|social log-?in|(?:sign|log)(?:ged|s|ing)?[- ]?in (?:with|via|using|by|through)|authenticat\w+ (?:with|via|using|by|through)|existing (?:\w+ ){0,2}(?:auth\w*|identity|log ?in|sign-?in|accounts?|sessions?|users?)|(?:auth\w*|identity|log ?in|sign-?in|accounts?)\b[^.]{0,60}\b(?:already|existing|exists?|in place|reused?|out of scope|handled by|provided by|managed by)|api[- ]keys?|bearer|access tokens?|biometric\w*|face id|badge|pin\b|client certificates?|mtls|two[- ]factor|2fa|mfa|identity provider|idp)\b/i,
    message: "People sign in, and nothing says how.",
    question: "How do people sign in?",
    affects: "the sign-in screens, account recovery, and what has to be protected",
    choices: [
      choice("Email and password", "Works for everyone and depends on nobody else."),
      choice("Single sign-on (OAuth 2.0 or OpenID Connect)", "No passwords to keep; needs an identity provider."),
      choice("A magic link sent by email"),
      choice("The sign-in that the product already has"),
    ],
    becomes: (answer) => `System MUST authenticate users by: ${answer}`,
  },
  {
    topic: "permissions",
    impact: "security",
    doubt: "open",
    when: /\b(?:admin(?:istrator)?s?|moderators?|managers?|supervisors?|editors?|owners?|staff|operators?)\b.{0,80}\b(?:users?|members?|customers?|employees?|guests?|visitors?|patients?|students?|tenants?)\b|\b(?:users?|members?|customers?|employees?|guests?|visitors?|patients?|students?|tenants?)\b.{0,80}\b(?:admin(?:istrator)?s?|moderators?|managers?|supervisors?|editors?|staff|operators?)\b/i,
    settledBy:
      /\bonly (?:\w+ ){0,3}(?:admin\w*|moderators?|managers?|supervisors?|editors?|owners?|staff|operators?|users?|members?|authors?|organi[sz]ers?|the)\b|\bpermissions?\b|\broles?\b|\baccess (?:control|levels?|rights)\b|\b(?:admin(?:istrator)?s?|moderators?|managers?|supervisors?|editors?|owners?|staff|operators?)\s+(?:\w+ )?(?:can|may|MUST be able|must not|cannot)\b|\bMUST (?:NOT )?(?:allow|let|restrict)\b.{0,40}\b(?:admin\w*|moderators?|managers?|supervisors?|editors?|owners?|staff)\b|\bAs an? (?:admin\w*|moderator|manager|supervisor|editor|owner|operator)\b/i,
    message: "More than one kind of user is named, and nothing says who may do what.",
    question: "What may each kind of user do?",
    affects: "every check of who may see and change what, and the tests for it",
    choices: [
      choice(
        "The higher role may do everything, others only what is theirs",
        "The least that works; more can be opened later.",
      ),
      choice("Everyone may see everything, only the higher role changes it"),
      choice("Each role gets its own list of permissions"),
    ],
    becomes: (answer) => `System MUST enforce these permissions: ${answer}`,
  },
  {
    topic: "privacy",
    impact: "security",
    doubt: "open",
    when: /\b(?:patients?|medical|health (?:data|records?)|diagnos[ei]s|prescriptions?|social security|passport|national id|biometric|credit cards?|card (?:data|numbers?|details)|bank accounts?|iban|payment (?:details|data|information)|minors|children's data|location (?:data|history)|date of birth)\b/i,
    settledBy:
      /\b(?:gdpr|hipaa|pci(?:[- ]dss)?|consent\w*|encrypt\w*|privacy|anonymi[sz]\w*|pseudonymi[sz]\w*|complian\w*|token(?:i[sz]\w*)|never (?:stored?|logged|touch\w*|reach\w*)|not (?:be )?(?:stored?|logged|kept)|data protection|confidential\w*|audit\w*|need[- ]to[- ]know|hosted (?:by|checkout|payment))\b/i,
    best: /\b(?:stor\w*|sav\w*|keep|kept|upload\w*|documents?|records?|data|details|numbers?|histor\w*|view|see)\b/i,
    message: "Sensitive personal data is handled, and nothing says how it is protected or which rules apply.",
    question: "Which rules protect the sensitive data in it?",
    affects: "consent, storage, logging and what must be shown to an auditor",
    choices: [
      choice(
        "GDPR: consent, encryption, export and deletion on request",
        "The strictest of the common ones for personal data.",
      ),
      choice("The rules of the sector (HIPAA for health, PCI DSS for cards)", "Name the one that applies."),
      choice("Nothing sensitive is stored; it stays with a provider"),
    ],
    becomes: (answer) => `System MUST protect sensitive data as follows: ${answer}`,
  },
  {
    topic: "sensitive-access",
    impact: "security",
    doubt: "open",
    when: /\b(?:admin(?:istrator)?s?|staff|employees?|support|managers?|users?|everyone|operators?|agents?)\b.{0,30}\b(?:can|may|able to|will|shall)\b.{0,20}\b(?:see|view|access|read|open|edit|change|do|export|download)\b.{0,20}\b(?:everything|anything|all (?:\w+ )?(?:data|records|information|details|documents)|(?:patient|medical|health|personal|employee|salary|customer)(?:s'|'s)? (?:\w+ )?(?:data|records?|documents?|files?|information|details|history))\b/i,
    settledBy:
      /\b(?:need[- ]to[- ]know|treating|assigned (?:to|patients?|doctors?|cases?)|own patients|only (?:the |their )?(?:doctor|treating|assigned)|role-based|access (?:control|is recorded|is logged|log)|least privilege)\b|\beach access\b/i,
    message: "Some people may see everything or what is private, and nothing says within which limits.",
    question: "What may they see, and is it recorded who looked?",
    affects: "privacy, every access check, and what can be shown to an auditor",
    choices: [
      choice(
        "Only what their task needs, and each access is recorded",
        "The least that works; what health and privacy law expect.",
      ),
      choice("Everything, and each access is recorded"),
      choice("Everything except health and payment data"),
    ],
    becomes: (answer) => `System MUST limit who sees private data: ${answer}`,
  },
  {
    topic: "retention",
    impact: "security",
    doubt: "likely",
    when: /\b(?:stor(?:e|es|ed|ing)|record(?:s|ed|ing)?|sav(?:e|es|ed)|keep(?:s)?|kept|log(?:s|ged)?|collect(?:s|ed)?|retain\w*|archiv\w*|persist\w*|upload(?:s|ed)?)\b.{0,60}\b(?:personal|customers?|users?|patients?|health|medical|location|payment|card|messages?|chats?|recordings?|calls?|documents?|files?|photos?|images?|videos?|histor(?:y|ies)|audit|activit(?:y|ies)|events?|readings?|measurements?|sensor|telemetry|transactions?|resumes?|cvs?|data)\b|\b(?:measurements?|readings?|recordings?|messages?|documents?|photos?|histor(?:y|ies)|(?:personal|payment|customer|patient) (?:data|details))\b.{0,40}\b(?:stored|kept|saved|recorded|logged|archived)\b|\b(?:audit|activity|access|event) logs?\b/i,
    times: 1,
    settledBy:
      /\b(?:reten(?:tion)?|retain\w*|purg\w*|expir\w*|archiv\w*|deletion|deleted?\b.{0,60}\b(?:after|when|once|within|on request|at once|account)|eras\w*|anonymi[sz]\w*|indefinite(?:ly)?|forever|kept (?:for|until)|keep(?:s)? .{0,40}\b(?:days?|months?|years?)|stored? (?:for|until)|(?:for|after) (?:at least |at most |up to )?\d+ (?:days?|months?|years?)|never stored|not stored|removed after)\b/i,
    best: /\b(?:stor|kept|keep|sav|record|retain|archiv)\w*/i,
    message: "Data is stored, and nothing says how long it is kept or how it is deleted.",
    question: "How long is the stored data kept, and what happens then?",
    affects: "storage, privacy duties, and what people can still find later",
    choices: [
      choice(
        "Until the user deletes it or the account",
        "Nothing vanishes unasked; deletion on request stays possible.",
      ),
      choice("90 days, then deleted"),
      choice("1 year, then deleted"),
      choice("7 years, then deleted", "Where bookkeeping or health law asks for it."),
    ],
    becomes: (answer) => `System MUST keep stored data as follows: ${answer}`,
  },
  {
    topic: "password-rules",
    impact: "security",
    doubt: "likely",
    when: /\b(?:set|choose|create|change|reset|strong|new|email and|with an? e-?mail (?:address )?and)\b.{0,30}\bpasswords?\b|\bpassword (?:rules|policy|requirements|strength)\b/i,
    settledBy:
      /\b\d+ (?:characters|chars)\b|\b(?:characters|chars) (?:long|minimum)|\b(?:nist|passwordless|existing (?:password|account|auth\w*|identity)|minimum length|password policy (?:of|from|in))\b/i,
    message: "Passwords are chosen, and nothing says what one must be like.",
    question: "What must a password be like?",
    affects: "the sign-up form, its errors, and how easily accounts are broken into",
    choices: [
      choice("At least 12 characters, checked against known leaked ones", "As NIST SP 800-63B advises."),
      choice("At least 8 characters with letters and digits"),
      choice("As the existing accounts have it"),
    ],
    becomes: (answer) => `System MUST accept only passwords that are like this: ${answer}`,
  },
  {
    topic: "link-expiry",
    impact: "security",
    doubt: "likely",
    when: /\b(?:reset|verification|confirmation|activation|invit(?:e|ation)|magic|shar(?:e|ed|ing|eable)|download|public) links?\b|\blinks? (?:to|for) (?:reset|confirm|verify|activat|shar|invit)\w*/i,
    settledBy:
      /\b(?:expir\w*|valid for|validity|single[- ]use|one[- ]time|revok\w*|used once|invalid after|\d+ (?:hours?|minutes?|days?) (?:old|after))\b/i,
    message: "Links that open something are sent out, and nothing says when they stop working.",
    question: "How long does such a link work?",
    affects: "how long a link that got into the wrong hands can be misused",
    choices: [
      choice("24 hours, and only once", "Long enough to be used the next day, short enough to limit misuse."),
      choice("1 hour, and only once"),
      choice("7 days"),
      choice("Until it is revoked"),
    ],
    becomes: (answer) => `System MUST let such a link work only for: ${answer}`,
  },
  {
    topic: "rate-limit",
    impact: "security",
    doubt: "likely",
    when: /\brate[- ]?limit\w*\b|\bthrottl\w+/i,
    settledBy:
      /\b\d[\d,]* (?:\w+ ){0,3}(?:per|a|an|\/|every|within|in) ?(?:any |an? |one )?(?:second|minute|hour|day|\d)/i,
    message: "Requests are limited, and nothing says to how many.",
    question: "How many requests are allowed before the limit applies?",
    affects: "who is cut off, and how much misuse gets through",
    choices: [
      choice("60 per minute per user", "Enough for a person, too little for a script."),
      choice("10 per minute per user"),
      choice("1,000 per hour per client"),
    ],
    becomes: (answer) => `System MUST limit requests to: ${answer}`,
  },
];
