export type Words = readonly [string, ...string[]];

/** From a text with commas: a list of words that is read more often than it is changed. */
export function wordList(text: string): Words {
  const [first = "", ...others] = text.trim().replace(/\s+/g, " ").split(", ");
  return [first, ...others];
}

/** From a text with one entry in each line. */
export function lineList(text: string): Words {
  const [first = "", ...others] = text.trim().split(/\n\s*/);
  return [first, ...others];
}

export const firstNames = wordList(`
  Ada, Amara, Bao, Carmen, Chidi, Dalia, Elif, Emil, Farah, Grace, Hana, Hugo, Imani, Ines,
  Jonas, Kofi, Leila, Linus, Maya, Mateo, Nadia, Noor, Olga, Omar, Priya, Rafael, Sana, Sofia,
  Tomas, Uma, Viktor, Wei, Yara, Zoe
`);

export const lastNames = wordList(`
  Abara, Almeida, Bauer, Castillo, Chen, Dubois, Eriksen, Fischer, Garcia, Haddad, Ivanova,
  Jensen, Kaya, Kowalski, Lindqvist, Mbeki, Meyer, Nakamura, Novak, Okafor, Patel, Quist, Rossi,
  Santos, Silva, Tanaka, Vargas, Weber
`);

export const petNames = wordList(`
  Biscuit, Bella, Charlie, Clover, Coco, Daisy, Figaro, Ginger, Hazel, Juno, Kiwi, Luna, Maple,
  Milo, Mochi, Nala, Oscar, Pepper, Pixel, Poppy, Rex, Rosie, Simba, Sunny, Tofu, Waffles,
  Willow, Ziggy
`);

export const animals = wordList(`
  Dogs, Cats, Birds, Fish, Rabbits, Hamsters, Reptiles
`);

export const speciesNames = wordList(`
  Grey wolf, Red fox, Barn owl, Common toad, Brown bear, Sea otter, Snow leopard, Honey bee,
  Atlantic salmon, Green turtle, European hare, Golden eagle
`);

export const streets = wordList(`
  Birch Lane, Canal Street, Elm Avenue, Garden Row, Harbour Road, Hill Street, Lake View, Market
  Square, Mill Road, Orchard Way, River Walk, Station Street
`);

export const companies = wordList(`
  Acorn & Co., Bluebird Labs, Cedar Systems, Delta Foods, Evergreen Energy, Foxglove, Granite
  Works, Harbor Logistics, Iris Health, Juniper Studio, Kestrel Aviation, Lumen Optics, Meridian
  Bank, Northwind, Oakline, Pinecrest, Quarry Tools, Solstice
`);

export const jobs = wordList(`
  Account manager, Analyst, Architect, Designer, Engineer, Head of operations, Nurse, Product
  manager, Researcher, Support specialist, Teacher, Translator
`);

export const departments = wordList(`
  Customer care, Design, Engineering, Finance, Legal, Marketing, Operations, People, Research,
  Sales
`);

export const adjectives = wordList(`
  Amber, Bold, Bright, Calm, Classic, Clear, Crisp, Deep, Early, Fresh, Gentle, Golden, Grand,
  Light, Little, Modern, Northern, Open, Quiet, Rapid, Silver, Simple, Smart, Solid, Steady,
  Summer, Swift, Urban, Vivid, Wild
`);

export const nouns = wordList(`
  Anchor, Atlas, Beacon, Bridge, Canvas, Compass, Crest, Dune, Echo, Ember, Field, Forest,
  Grove, Harbor, Horizon, Island, Lantern, Meadow, Orbit, Peak, Pioneer, Prairie, Ridge, River,
  Signal, Spark, Summit, Valley, Voyage, Wave
`);

export const products = wordList(`
  Backpack, Bottle, Chair, Desk lamp, Headphones, Jacket, Kettle, Keyboard, Mug, Notebook, Pan,
  Planter, Poster, Rug, Scarf, Speaker, Table, Teapot, Wallet
`);

export const productCategories = wordList(`
  Bags, Books, Electronics, Furniture, Garden, Home, Kitchen, Lighting, Outdoor, Stationery,
  Toys
`);

export const tagWords = wordList(`
  new, popular, sale, limited, featured, seasonal, archived, internal, priority, beta, stable,
  urgent
`);

export const statusWords = wordList(`
  active, pending, paused, completed, archived
`);

/** For what nothing is known about but that it is a text. */
export const plainWords = wordList(`
  standard, basic, default, primary, secondary, custom, regular, extended, general, advanced
`);

export const colours = wordList(`
  amber, blue, coral, green, indigo, ivory, navy, olive, plum, teal
`);
