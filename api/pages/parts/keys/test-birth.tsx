import { exampleBirth, exampleMeasures } from '../../../openapi/example-bundles.ts';
import { Section } from '../../layout/section.tsx';

export const TEST_BIRTH_SCRIPT = 'test-birth.mjs';

const CHART_NUMBER = 'TEST-1001';

/** Without script there is no button; the shell command does the same. */
export const TestBirth = ({ now }: { readonly now: Date }) => (
  <Section id="test-birth" heading="Send a test birth">
    <p>
      A made-up birth with the chart number {CHART_NUMBER}, sent from this page with the new key.
      Sent again, it amends the same record.
    </p>
    <p>
      <button type="button" class="usa-button" id="send-test-birth" hidden>
        Send test birth
      </button>
      <noscript>Without script, copy the Bundle into a file and send it from a shell.</noscript>
    </p>
    <p role="status" id="test-birth-result" />
    <details>
      <summary>Show the Bundle</summary>
      <pre class="shell" id="test-birth-bundle">
        {JSON.stringify(
          exampleBirth({
            chartNumber: CHART_NUMBER,
            lastUpdated: now.toISOString(),
            more: exampleMeasures,
          }),
          null,
          2,
        )}
      </pre>
    </details>
  </Section>
);
