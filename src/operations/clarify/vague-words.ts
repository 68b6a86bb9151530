import type { Impact } from "./finding.ts";

export type VagueTopic =
  | "speed"
  | "ease"
  | "reliability"
  | "scale"
  | "protection"
  | "handling"
  | "extent"
  | "amount"
  | "frequency"
  | "commitment"
  | "quality"
  | "access";

export interface VagueWords {
  topic: VagueTopic;
  impact: Impact;
  /** Each hit is a word that two readers understand in two ways. */
  pattern: RegExp;
  /** Somewhere in the same statement: what makes it something that can be tested. */
  settledBy: RegExp;
  /** Right behind the word: a term of its own, no claim ("fast-forward", "secure cookie"). */
  notBefore?: RegExp;
  /** Right in front of the word. */
  notAfter?: RegExp;
}

const TIME = String.raw`\d+(?:[.,]\d+)?[\s-]?(?:ms|milli\w*|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?)\b`;
const SHARE = String.raw`\d+(?:[.,]\d+)?\s?(?:%|percent)`;
const LIST = String.raw`\b(?:such as|including|namely|i\.e\.|e\.g\.|for example|limited to|listed|following|defined (?:in|by|as))|:\s`;

/** The words, by what they leave open. What is said of the same thing in numbers or by name settles them. */
export const vagueWords: readonly VagueWords[] = [
  {
    topic: "speed",
    impact: "use",
    pattern:
      /\b(?:fast(?:er)?|quickly|quick (?:responses?|access|load\w*|checkout|process|way|results?|turnaround)|(?:be|is|are) quick(?:er)?|rapid(?:ly)?|speedy|snappy|swift(?:ly)?|(?:be|is|are|stay|stays|remain|remains|feel|feels|highly|and|,) responsive(?! (?:on|to|across|at|for) |ly)|performant|instantly|instantaneous(?:ly)?|instant (?:results?|feedback|updates?|responses?|access|notifications?)|promptly|prompt (?:response|reply|delivery|notification)|timely|(?:low|minimal|acceptable) (?:latency|delays?)|without (?:noticeable |any |undue )?(?:delays?|lag)|as soon as possible|asap|high[- ]performance|good performance|(?:near[- ])?real[- ]time|(?:reasonable|acceptable|short) (?:amount of )?(?:time|response times?|load(?:ing)? times?|duration)|efficient(?:ly)?)\b/gi,
    settledBy: new RegExp(
      `${TIME}|${SHARE}|\\b(?:O\\(|fps)|\\b(?:mobile|tablet|layout|breakpoints?|viewports?|px)\\b`,
      "i",
    ),
    notBefore:
      /^(?:[- ]forward|[- ]?food|[- ]track|[- ](?:design|layout|web|grid|breakpoints?|images?)|[- ](?:reply|replies|actions?|add|view|links?|start|access|filters?|search|edit|messag\w*|payments?|transfers?|noodles?|clock|date|location)\b|\s+(?:the|a|an|them|him|her|users?|you)\b(?= (?:to|for|with)))/i,
    notAfter: /\b(?:prompt|energy|fuel|cost|resource|non)[- ]$/i,
  },
  {
    topic: "ease",
    impact: "use",
    pattern:
      /\b(?:easy|easily|easier|intuitive(?:ly)?|user[- ]friendly|effortless(?:ly)?|hassle[- ]free|convenient(?:ly)?|straightforward|seamless(?:ly)?|smooth(?:ly)?|frictionless|painless(?:ly)?|self[- ]explanatory|(?:simple|clean|modern|nice|beautiful|attractive|appealing|sleek|elegant|polished|pleasant|delightful|great|good|excellent|best[- ]in[- ]class) (?:to use|interface|ui|ux|design|look(?: and feel)?|layout|experience|user experience|way|process|workflow|dashboard)|(?:be|is|are|stay|remain|keep it) (?:simple|modern|nice|clean|beautiful)(?: and (?:simple|modern|nice|clean|beautiful))?(?! majority)|minimal(?:istic)? (?:effort|training|clicks|friction)|learnable|ergonomic|beautiful(?:ly)?|attractive|appealing|sleek|elegant|delightful|stunning)\b/gi,
    settledBy: new RegExp(
      `${SHARE}|\\b\\d+\\s+(?:clicks?|taps?|steps?|fields?|screens?|questions?|attempts?|of\\b)|${TIME}|\\bwcag\\b|without (?:any )?(?:training|help|instructions|documentation|assistance)|first (?:attempt|try)|\\b(?:one|two|three|single)[- ](?:clicks?|taps?|steps?)`,
      "i",
    ),
    notBefore: /^(?:[- ]scroll\w*|[- ]out|[- ](?:\w+ )?(?:messages?|names?|labels?|urls?|format)\b)/i,
  },
  {
    topic: "reliability",
    impact: "use",
    pattern:
      /\b(?:robust(?:ly|ness)?|reliabl[ey]|reliability|resilien(?:t|ce)|fault[- ]tolerant|high(?:ly)?[- ]availab(?:le|ility)|always (?:be )?available|(?:minimal|little|no significant) downtime|stable|rock[- ]solid|never (?:fail|crash|go down)s?|bullet[- ]?proof)\b/gi,
    settledBy: new RegExp(
      `${SHARE}|${TIME}|\\b(?:zero|no) data loss|\\bretr(?:y|ies)\\b|\\bRPO\\b|\\bRTO\\b|\\bat least once|exactly once`,
      "i",
    ),
    notBefore:
      /^[- ](?:ids?|identifiers?|urls?|links?|sort\w*|order\w*|version\w*|releases?|references?|keys?|channel|coins?|connections?|internet|network)\b/i,
  },
  {
    topic: "scale",
    impact: "technique",
    pattern:
      /\b(?:scalab(?:le|ly|ility)|highly scalable|scales? (?:well|easily|up|as needed|with)|(?:must|shall|should|can) scale|(?:a )?(?:large|high|huge|great|growing|increasing) (?:number|volume|amount|quantit\w+)s? of|lots of|(?:high|large|huge) (?:load|traffic|volumes?|demand)|many (?:concurrent |simultaneous )?(?:users|visitors|customers|clients|devices)|heavy (?:load|traffic|use)|peak (?:load|traffic|times?)|large (?:files?|data ?sets?|documents?|uploads?)|future growth)\b/gi,
    settledBy:
      /\b\d[\d,.]*\s?(?:[km]\b|million|thousand|users?|concurrent|requests?|records?|items?|files?|devices?|rows?|[kmgt]b|orders?|messages?|per\b|\/|%|(?!ms\b|secs?\b|seconds?\b|minutes?\b)[a-z]+s\b)/i,
  },
  {
    topic: "protection",
    impact: "security",
    pattern:
      /\b(?:secured?|securely (?:stor|transmit|handl|process|shar|kept|keep|sav|access|authenticat|upload|manag|transfer|sent|send|delet)\w*|(?:stored|kept|transmitted|handled|processed|shared|saved|managed|transferred|sent|deleted|protected) securely|(?:be|is|are|kept|keep|stored|stays?) safe(?:ly)?|safely (?:stored?|transmitted|handled|processed|shared|kept)|(?:strong|adequate|proper|appropriate|industry[- ]standard|state[- ]of[- ]the[- ]art|best[- ]practice) (?:security|encryption|protection|passwords?|authentication)|industry[- ]standard|(?:security |industry )?best practices|well[- ]protected|properly (?:protected|secured|encrypted)|hacker[- ]proof|tamper[- ]proof)\b/gi,
    settledBy:
      /\b(?:encrypt\w*|tls|https|aes|rsa|hash\w*|bcrypt|argon2\w*|scrypt|oauth\d?|oidc|saml|sso|mfa|2fa|two[- ]factor|multi[- ]factor|token\w*|signed|pci(?:[- ]dss)?|hipaa|gdpr|soc ?2|iso ?\d+|owasp|jwt|httponly|samesite|csrf|role[- ]based|rbac|permissions?|passkeys?|fido2?|webauthn|characters|verified by|signature|certificate|expir\w+|one[- ]time)\b/i,
    notBefore:
      /^(?:[- ](?:cookies?|flag|attribute|enclave|element|context|origin|https?|websockets?|shell|boot|harbou?r|mode|area|zone|distance|search|range|limits?|level|temperature|state|guard\w*|key\w*|stop|to (?:delete|remove|close|leave|retry))\b|ty\b)/i,
  },
  {
    topic: "handling",
    impact: "use",
    pattern:
      /\b(?:graceful(?:ly)?|(?:handled?|handles|treat(?:ed)?|reacts?|responds?|behaves?|deals? with|process(?:ed)?) (?:\w+ ){0,4}?(?:properly|appropriately|correctly|accordingly|adequately|sensibly|reasonably|well)|(?:works?|functions?|operates?|behaves?) (?:properly|correctly|as expected|well|fine))\b/gi,
    settledBy:
      /\b(?:by (?:\w+ ){0,2}\w+ing|shows?|showing|shown|displays?|displaying|returns?|returning|retr(?:y|ies|ying)|rejects?|rejecting|logs?|logging|queues?|queu(?:ed|ing)|falls? back|falling back|saying|that (?:says|names|states|explains|lists|tells)|with (?:a|an|the) (?:\w+ ){0,3}(?:message|error|status|code|banner))\b/i,
  },
  {
    topic: "handling",
    impact: "use",
    pattern:
      /\b(?:appropriate|proper|suitable|adequate|sensible|reasonable|meaningful|helpful|useful|clear) (?:error |warning |status |corrective )?(?:errors?|messages?|feedback|actions?|measures?|steps?|responses?|handling|warnings?|fallbacks?|defaults?|status|notifications?)\b/gi,
    settledBy:
      /["“«`]|\b(?:saying|that (?:says|names|states|explains|lists|tells)|naming|stating|explaining|which (?:field|says)|what (?:is|went) wrong|\d+)\b/i,
  },
  {
    topic: "extent",
    impact: "scope",
    pattern:
      /\b(?:etc|and so on|and so forth|and (?:much |many )?more(?=\s*(?:[.,;!)]|$))|and others|and the like|(?:various|several|numerous|many different|multiple|a (?:wide |broad )?(?:range|variety) of|a number of) (?:\w+ )?(?:formats|file types|types|kinds|options|channels|payment (?:methods|providers|options)|methods|platforms|devices|browsers|languages|integrations|services|sources|criteria|features|functions|reports|metrics|settings|ways|systems|tools|statistics)|(?:certain|some) (?:types|kinds|users|cases|conditions|circumstances|situations|actions|features|fields|data|roles|operations)|(?:common|major|popular|usual|modern|typical) (?:\w+ )?(?:formats|file types|browsers|platforms|devices|payment methods|languages|providers|integrations|services)|different (?:formats|channels|platforms|payment methods|sources|file types)|as (?:needed|necessary|required|appropriate|applicable|desired)|if (?:needed|necessary|appropriate|possible|applicable|feasible)|where(?:ver)? (?:possible|appropriate|necessary|applicable|feasible|needed)|when(?:ever)? (?:appropriate|necessary|needed|applicable|possible)|and\/or|to be (?:defined|decided|determined) later|some (?:form|kind|sort|type) of|(?:appropriate|suitable|relevant|adequate|sufficient|necessary|applicable) (?:data|information|details|users?|people|persons?|parties|stakeholders?|fields?|roles?|results|content|documents?|checks|controls|validation|times?|moments?|manner|notice|storage|capacity)|flexible (?:options?|system|platform|solution|configuration|pricing|workflows?|scheduling|way|manner|reports?|search)|(?:be|is|are) flexible|(?:relevant|applicable|appropriate|all necessary) (?:regulations?|laws?|standards?|legislation|guidelines|polic(?:y|ies))|customi[sz]able|comprehensive|powerful|advanced|sophisticated|full[- ]featured|feature[- ]rich|versatile)\b/gi,
    settledBy: new RegExp(
      `${LIST}|\\((?:[^()]{1,80},[^()]{1,80}|[A-Z0-9./, ]{2,40})\\)|\\bthat (?:match|meet|belong|have|are marked)\\w*`,
      "i",
    ),
  },
  {
    topic: "amount",
    impact: "use",
    pattern:
      /\b(?:(?:a few|few|several|many|numerous|some|too many|repeated|a couple of|a certain number of|a limited number of) (?:failed |unsuccessful |consecutive |wrong |invalid |login |retry )*(?:attempts?|times|tries|retries|minutes|hours|days|weeks|seconds|months|items|results|requests|errors|failures|characters|photos|images|files|people|guests|participants|copies)|multiple (?:failed |unsuccessful |consecutive |wrong |invalid |login |retry )*(?:attempts|times|tries|retries|failures)|(?:long|short|certain|limited|reasonable|extended) (?:period|amount|length|time span)(?: of (?:time|inactivity))?|(?:for )?a while|some (?:time|fee|amount|discount|charge|delay)|recent(?:ly)? (?:items?|activity|activities|orders?|searches|files|documents|entries|transactions|messages|records|data|events|notifications|viewed)|(?:significant|substantial|considerable|dramatic|noticeable)(?:ly)?|too (?:high|low|hot|cold|old|slow)|soon(?! as)|(?:up to|within) (?:a|some) (?:reasonable|certain|defined|agreed) \w+)\b/gi,
    settledBy:
      /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|configur\w*|set by|chosen by|defined by|defined in)\b/i,
  },
  {
    topic: "frequency",
    impact: "use",
    pattern:
      /\b(?:periodic(?:al(?:ly)?)?|regularly|regular (?:intervals|backups|updates|reports|basis|checks)|frequent(?:ly)?|occasional(?:ly)?|often|from time to time|at intervals|now and then)\b(?! asked)/gi,
    settledBy: new RegExp(
      `${TIME}|\\b(?:hourly|daily|weekly|monthly|nightly|yearly|quarterly|every (?:\\w+ )?(?:second|minute|hour|day|night|week|month|year|morning|sunday|monday)s?|once (?:a|per|an)|twice (?:a|per))\\b`,
      "i",
    ),
  },
  {
    topic: "commitment",
    impact: "scope",
    pattern:
      /\b(?:ideally|hopefully|possibly|probably|perhaps|maybe|might|nice[- ]to[- ]have|would be nice|would be good|if time (?:permits|allows)|preferabl[ey]|eventually|at some point|in (?:a |some )?(?:future|later) (?:version|release|phase|iteration)|later on|could (?:also|optionally|perhaps)|we (?:may|might) (?:want|need|consider)|should try to|strives? to|as far as possible|as much as possible|best[- ]effort)\b/gi,
    settledBy: /\bP[2-5]\b|\b(?:optional|deferred|v2|phase [2-9]|out of scope|not (?:part|in scope))\b/i,
    notAfter: /\b(?:when|if|who|they|users?|that|and) $/i,
  },
  {
    topic: "quality",
    impact: "use",
    pattern:
      /\b(?:high[- ]quality|good quality|(?:be|is|are) (?:adequate|sufficient|acceptable|reasonable|satisfactory|of good quality)|optimal(?:ly)?|(?:improved?|better|enhanced?) (?:the )?(?:performance|experience|user experience|usability|quality|speed|accuracy|results|engagement)|best possible|maximum possible|minimi[sz]ed?|maximi[sz]ed?|state of the art|satisfactory|(?:satisfied|happy|delighted) (?:users|customers)|(?:users?|customers?|people|employees) (?:are|feel|be|will be|will) (?:satisfied|happy|delighted|love)|engaging|meaningful|valuable|high accuracy|sensibl[ey])\b/gi,
    settledBy: /\d|\b(?:wcag|against|compared (?:to|with)|than the|checksum|byte[- ]for[- ]byte|match(?:es)?)\b/i,
    notBefore: /^(?:[- ](?:for (?:print|mobile|search))|[- ](?:birthday|new year|path))/i,
  },
  {
    topic: "access",
    impact: "security",
    pattern:
      /\b(?:accessible|authori[sz]ed|eligible|privileged|permitted|allowed) (?:repositor(?:y|ies)|files|projects|documents|records|resources|folders|accounts|users|personnel|people|persons|staff|parties|persons?|individuals|third parties|content|data)\b/gi,
    settledBy:
      /\b(?:who|whose|owned|owners?|members?|role|admin\w*|manager\w*|assigned|invited|belong\w*|granted|created by|shared with|permission|scope|assessed|licensed)\b|\(/i,
  },
];
