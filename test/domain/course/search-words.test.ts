import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyChild, emptyCourseOfCare, emptyMother } from '../../../domain/course/course.ts';
import {
  extractNameWords,
  foldChartNumber,
  listSearchableWords,
  parseSearchWords,
} from '../../../domain/course/search-words.ts';

const words = suite('words that a search finds');

words('without case, accents and what stands between words', () => {
  assert.equal(parseSearchWords("  Ångström-O'Neill,  ÉLODIE "), [
    'angstrom',
    'o',
    'neill',
    'elodie',
  ]);
  assert.equal(parseSearchWords('’ – '), []);
});

for (const [typed, found] of [
  ['Wałęsa Łucja', ['walesa', 'lucja']],
  ['Søren Ærøskøbing', ['soren', 'aeroskobing']],
  ['Đặng Thị Ánh', ['dang', 'thi', 'anh']],
  ['Straße, STRAẞE, Strasse', ['strasse', 'strasse', 'strasse']],
  ['Þórður Guðmundsson', ['thordur', 'gudmundsson']],
  ['Œuvrard', ['oeuvrard']],
  ['Işıl İNCİ', ['isil', 'inci']],
  ['Ħal Ŧor', ['hal', 'tor']],
  ['ﬁona', ['fiona']],
] as const)
  words(`${typed}, typed without the letters that a keyboard lacks`, () => {
    assert.equal(parseSearchWords(typed), found);
    assert.equal(parseSearchWords(found.join(' ')), found);
  });

words('a name with an apostrophe, in two words and in one', () => {
  assert.equal(listSearchableWords("D'Angelo"), ['d', 'angelo', 'dangelo']);
  for (const apostrophe of '’‘ʻʼ`´′')
    assert.equal(listSearchableWords(`Ana O${apostrophe}Neill`), ['ana', 'o', 'neill', 'oneill']);
  assert.equal(listSearchableWords('Ana Reyes'), ['ana', 'reyes']);
});

words('every name of mother and children, each word once', () => {
  const course = {
    ...emptyCourseOfCare(),
    mother: {
      ...emptyMother(),
      family_name: 'Nuñez',
      given_names: ['Ana', 'María'],
      birth_surname: 'Peña',
    },
    children: [{ ...emptyChild(), family_name: 'Núñez', given_names: ['Ana'], suffix: 'Jr.' }],
  };
  assert.equal(extractNameWords(course), ['nunez', 'ana', 'maria', 'pena', 'jr']);
});

words('a long word is cut between characters, never within one', () => {
  const [word = ''] = parseSearchWords('𐐨'.repeat(80));
  assert.is([...word].length, 60);
  assert.not.match(word, /\p{Cs}/u);
});

words('a chart number stays short, however long folding makes it', () => {
  assert.is([...foldChartNumber('\ufdfa'.repeat(255))].length, 255);
  assert.is(foldChartNumber(' MRN-01É '), 'mrn-01e');
});

words.run();
