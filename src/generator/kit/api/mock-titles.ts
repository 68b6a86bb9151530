import { lineList, wordList } from "./mock-words.ts";

export const taskTitles = lineList(`
  Fix the login redirect
  Add dark mode to the settings
  Search ignores accents
  Export as CSV
  Upload fails for large files
  Document the new endpoints
  Speed up the first page
  Wrong total after a refund
  Remember the last filter
  Update the dependencies
  Crash when the list is empty
  Translate the welcome mail
  Show time zones in the calendar
  Retry failed payments
  Remove the old importer
  Keyboard shortcuts for the editor
  Typo on the pricing page
`);

export const articleTitles = lineList(`
  What we learned from a year of remote work
  A beginner's guide to sourdough
  Ten small habits that save time
  How our search got twice as fast
  The quiet return of the night train
  Notes from the spring conference
  Choosing a first bicycle
  Why we rewrote the onboarding
  A weekend in the mountains
  Five questions to ask before a move
  The case for shorter meetings
  Reading more with less time
  Behind the scenes of our last release
`);

export const bookTitles = lineList(`
  The Lighthouse Keeper's Daughter
  A Map of Small Rivers
  Winter in the Orchard
  The Last Tram Home
  Letters to an Island
  The Cartographer
  Salt and Cedar
  An Unfinished Garden
  The Second Harvest
  Night Ferry
  What the Tide Left
  The Glass Observatory
  Under a Northern Sky
`);

export const songTitles = lineList(`
  Paper Boats
  Slow Train East
  Morning Without You
  Neon Rain
  Hold the Line, Marie
  Half a Moon
  Satellite Summer
  Old Coats
  Running Water
  Second Floor Window
  Blue Hour
`);

export const eventTitles = lineList(`
  Printmaking workshop
  Summer garden party
  An evening of chamber music
  Open day
  Photography walk
  Annual meeting
  Science for families
  Ceramics for beginners
  Guided night tour
  Book club
  Winter market
`);

export const projectTitles = lineList(`
  Website relaunch
  Mobile app
  Customer portal
  Warehouse move
  Data migration
  Spring campaign
  Office renovation
  Loyalty programme
  Design system
  Annual report
  Payment upgrade
`);

export const courseTitles = lineList(`
  Introduction to statistics
  Spanish for beginners
  Project management basics
  Creative writing
  First aid
  Data visualization
  Web development
  Public speaking
  Bookkeeping
`);

export const recipeTitles = lineList(`
  Lemon risotto
  Tomato soup with basil
  Chickpea curry
  Apple crumble
  Mushroom dumplings
  Roasted cauliflower
  Lentil salad
  Spinach pie
  Mango lassi
`);

export const mailSubjects = lineList(`
  Your order is on its way
  Welcome aboard
  Confirm your e-mail address
  Invoice for May
  Minutes of Tuesday's meeting
  Reset your password
  A question about my booking
  Reminder: appointment tomorrow
  News from the workshop
  Your weekly summary
  Thank you for your feedback
`);

export const planNames = wordList("Free, Starter, Basic, Team, Pro, Business, Enterprise");

export const roleNames = wordList("Administrator, Editor, Viewer, Member, Billing, Auditor");

export const teamNames = wordList(`
  Platform, Design, Growth, Support, Mobile, Data, Security, Payments, Research
`);

export const planetNames = wordList(`
  Aldera, Borealis, Calypso, Demara, Elysia, Ferros, Galene, Hyperia, Ishtar, Juna, Kerith,
  Lyra, Meridia, Nerea, Ostara, Pyros, Selka, Tarsis, Umbra, Vesta
`);

export const shipNames = wordList(`
  Albatross, Comet, Dawn Runner, Far Horizon, Gannet, Kestrel, Long Haul, Meridian, Night Heron,
  Pathfinder, Sparrow, Swift, Tern, Wayfarer
`);

export const serviceNames = wordList(`
  web, api, worker, postgres, redis, gateway, scheduler, mailer, search, metrics, auth, proxy
`);

export const imageNames = wordList(`
  nginx:1.27, postgres:16, redis:7.2, node:22-alpine, python:3.13-slim, traefik:3.1, mariadb:11,
  rabbitmq:4, grafana:11.2, alpine:3.20
`);

export const attributeNames = wordList(`
  Colour, Size, Weight, Material, Brand, Season, Origin, Warranty, Width, Height
`);

export const channelNames = wordList(`
  general, announcements, support, design, random, releases, marketing, help
`);

export const permissionNames = wordList(`
  read:users, write:users, read:reports, manage:billing, read:orders, write:orders, admin
`);

export const programmingLanguages = wordList(`
  TypeScript, Python, Go, Rust, Java, Ruby, C#, Kotlin
`);

export const genres = wordList(`
  Drama, Comedy, Documentary, Mystery, Science fiction, Adventure, Biography
`);
