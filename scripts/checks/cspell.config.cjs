// Spelling of the folders that the check of the house covers. Words to avoid come from the glossary,
// so that it is the only list of them.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const glossary = readFileSync(join(__dirname, '..', '..', 'docs', 'glossary.md'), 'utf8');
const AVOIDED = /^\| ([a-z]+) \| ([^|`]+) \|$/gm;
const [, section = ''] = glossary.split('## Words that we do not use');

/** Codes of other systems: `MAGER`, `22232009`, HTML entities are not words. */
const CODES = [
  /\b[A-Z][A-Z0-9_]{3,}\b/g,
  /&[a-z]+;/g,
  /docs\/decisions\/[\w-]+/g,
  /\\u[0-9a-f]{4}/g,
];

/** Stored in the log, or published with the contract: they keep their spelling. */
const KEPT = [/RegistryInitialised/g, /'ended-meanwhile'/g, /_?anothers\b/g, /Unrecognised/g];
/** Regular expressions hold parts of words, and these signs are apostrophes. */
const PATTERNS = [/(?<=[=(,:]\s*)\/(?![*/])(?:\\.|\[[^\]]*\]|[^/\n\\])+\/[a-z]*/g, /[ʻʼʹʽꞌՙ]+/gu];

module.exports = {
  language: 'en-US',
  dictionaries: ['words'],
  dictionaryDefinitions: [{ name: 'words', path: join(__dirname, 'words.txt'), addWords: true }],
  flagWords: [...section.matchAll(AVOIDED)].map(
    ([, word, instead]) => `${word}->${instead.trim()}`,
  ),
  ignoreRegExpList: [...CODES, ...KEPT, ...PATTERNS],
  overrides: [
    // Made-up people and towns.
    {
      filename: '**/scripts/{demo,ehr-simulator,operator,synthesis}/**/*.ts',
      ignoreRegExpList: [/'[^'\n]*'/g, /"[^"\n]*"/g, /`[^`\n]*`/g],
    },
    { filename: '**/api/pages/**', ignoreRegExpList: [/“[^”\n]*”/g, /"[A-Z][^"\n]*"/g] },
    // Code in documents, and the list of words to avoid itself.
    { filename: '**/*.md', ignoreRegExpList: [/`[^`\n]+`/g, /```[\s\S]*?```/g] },
    { filename: '**/docs/glossary.md', ignoreRegExpList: [/^\|.*\|$/gm] },
    // Tables of names of countries, of time zones, and of what senders write.
    {
      filename: '**/{places,us-time-zones,search-words}.ts',
      ignoreRegExpList: [/'[^'\n]*'/g, /\/\^.*\$\//g],
    },
  ],
};
