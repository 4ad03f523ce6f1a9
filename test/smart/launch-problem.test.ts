import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ehrTrouble, unknownState } from '../../api/smart/launch-problem.ts';

const problems = suite('a launch that does not go on');

problems('a program reads what a page has in its heading, so that “it” is somebody', () => {
  const late = ehrTrouble({ why: 'late', cause: null });
  assert.match(late.diagnostics, /^The EHR does not answer\. It took too long\. /);
  assert.match(unknownState().diagnostics, /^This launch is over\. It was used before, /);
});

problems('a page does not repeat its heading', () => {
  const page = unknownState().asPage();
  assert.is(page.heading, 'This launch is over');
  assert.match(page.text, /^It was used before, /);
});

problems.run();
