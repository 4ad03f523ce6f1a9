import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ehrFailed,
  NO_ANSWER,
  TOOK_TOO_LONG,
  unknownState,
} from '../../api/smart/launch-problem.ts';

const problems = suite('a launch that does not go on');

problems('a program reads what a page has in its heading, so that “it” is somebody', () => {
  const late = ehrFailed({ why: 'timeout', cause: null });
  assert.ok(late.diagnostics.startsWith(`${NO_ANSWER}. ${TOOK_TOO_LONG} `));
  const { diagnostics, heading, text } = unknownState();
  assert.is(diagnostics, `${heading}. ${text}`);
});

problems('a page does not repeat its heading', () => {
  const { heading, text } = unknownState();
  const page = unknownState().asPage();
  assert.equal([page.heading, page.text], [heading, text]);
  assert.not.match(text, heading);
});

problems.run();
