import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageTextsIn } from './messages-in.ts';

/** Words that nobody at a US birth center says, and what they say. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\bseats?\b/i, 'role'],
  [/\banew\b/i, 'again'],
  [/\bsomebody\b/i, 'someone, or name the role'],
  [/\bwho(?:ever| lacks| wants| has to)\b/i, 'anyone who'],
  [/\bof then\b|\bof now\b|\bby now\b/i, 'name the time'],
  [/\bgo(?:es|ing)? on\b/i, 'continue'],
  [/\bstands?\b(?! for\b)/i, 'is'],
  [/\bonce more\b/i, 'again'],
  [/\blet (?:in|\w+ in)\b/i, 'admit, invite, accept'],
  [/\bhand(?:ed)? over\b/i, 'send for review'],
  [/\blook(?:s|ed)? (?:alike|like another)\b|look-?alike/i, 'possible duplicate'],
  [/\b(?:is|are|be|was|been) taken\b/i, 'accepted, used, assigned'],
  [/\bcannot be understood\b/i, 'something is wrong with'],
  [/\blook(?:ed)? (?:it )?over\b/i, 'review'],
  [/\btakes? away\b/i, 'clear'],
  [/\bgoes out\b/i, 'is sent'],
  [/\bsays? nothing\b|\bsays? otherwise\b/i, 'has no value, differs'],
  [/\bmeanwhile\b|\bno more\b|\bany more\b/i, 'since then, no longer'],
  [
    /\bas (?:it|they) (?:is|are|was|were) (?:now|then)\b|\bin force\b/i,
    'the current one, in effect',
  ],
  [/\btell(?:s|ing)? apart\b|\btold\b/i, 'distinguish, notified'],
  [/\bgives? back\b|\bbrings? (?:it )?back\b/i, 'return, restore'],
  [/\bplease\b|\bsorry\b/i, 'nothing'],
  [/\bnames? them all\b|\bneeds? to be looked\b|\btried first\b/i, 'lists, needs review'],
  [/\bmends?\b|\bbeside\b|\bsee to\b/i, 'fix, next to'],
  [/organis|recognis|colour|capitalis|licence|catalogue|behaviour/i, 'American spelling'],
];

const style = suite('the texts of the pages');

const texts = pageTextsIn([
  'api/pages',
  'api/web',
  'api/access',
  'api/commands',
  'api/import',
  'api/single-sign-on',
]);

style('they are found: JSX, literals, and the scripts of the browser', () => {
  for (const file of [
    'sign-in-router.tsx',
    'page-problem.ts',
    'birth-form.mjs',
    'refusal-messages.ts',
    'sign-in-refused.ts',
  ])
    assert.ok(texts.filter(({ at }) => at.includes(file)).length > 2, file);
});

for (const [words, better] of AVOIDED)
  style(`instead of ${words.source}: ${better}`, () => {
    assert.equal(
      texts.filter(({ text }) => words.test(text)).map(({ at, text }) => `${at} ${text}`),
      [],
    );
  });

style.run();
