import type { Scope } from '../../../../domain/api-key/events.ts';
import { exampleBirth, exampleMeasures } from '../../../openapi/example-bundles.ts';
import type { Once } from '../../../web/single-use-form.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import type { PageView } from '../../layout/page.tsx';
import { Section } from '../../layout/section.tsx';
import { CopyButton, ShownOnce } from '../../layout/shown-once.tsx';
import { formatScopes } from '../../text/scope-text.ts';
import { describeLimit } from './key-table.tsx';

interface MintedKeyProps {
  readonly name: string;
  readonly token: string;
  readonly scopes: readonly Scope[];
  /** Addresses that the key works from; empty for any. */
  readonly addresses: readonly string[];
  /** Owner other than the reader: "Maple EHR at Cedar Birth Center". */
  readonly holder?: string;
  /** Base address of the push API. */
  readonly pushBase: string;
  readonly back: string;
  /** Time of the test birth that the page offers to send. */
  readonly testBirthAt?: Date;
}

/** Page with the token, or a note that the form was already sent: no other page ever shows it. */
export const buildMintedKeyPage = (
  minted: Once<{ readonly token: string }>,
  props: Omit<MintedKeyProps, 'token'>,
): PageView =>
  minted.kind === 'repeated'
    ? {
        title: 'Key minted before',
        children: (
          <>
            <Notice kind="info">This key was already minted. Its token is not shown again.</Notice>
            <p>If you did not save the token, revoke the key in the list and mint another.</p>
            <p>
              <a href={props.back}>Back to the keys</a>
            </p>
          </>
        ),
      }
    : {
        title: 'Key minted',
        scripts: ['copy.mjs', ...(props.testBirthAt === undefined ? [] : ['test-birth.mjs'])],
        children: <MintedKey {...props} token={minted.value.token} />,
      };

const MintedKey = (props: MintedKeyProps) => {
  const { name, token, scopes, addresses, holder, pushBase, back, testBirthAt } = props;
  const { line, says } = buildExampleRequest(pushBase, token, scopes);
  return (
    <>
      <Notice kind="warning">
        The token is shown only once. Copy it now and treat it like a password: anyone who has it
        can use the key. If you lose it, revoke the key and mint another.
      </Notice>
      <p>
        <strong>{name}</strong>
        {holder !== undefined && ` for ${holder}`}: {formatScopes(scopes)}
        {addresses.length > 0 && `, ${describeLimit(addresses)}`}.
      </p>
      <ShownOnce id="minted-token" label="Token" text={token} copy="Copy token" />
      {testBirthAt !== undefined && <TestBirth now={testBirthAt} />}
      <Section id="try-it" heading="Try it in a shell">
        <pre class="shell" id="try-it-line">
          {line}
        </pre>
        <CopyButton of="try-it-line">Copy line</CopyButton>
        <p>
          {says}
          {addresses.length > 0 &&
            ' Run it from an allowed address. From anywhere else, the answer is 403.'}
        </p>
      </Section>
      <p>
        <a href={back}>I’ve saved this key</a>
      </p>
    </>
  );
};

const CHART_NUMBER = 'TEST-1001';

/** Without script there is no button; the shell command does the same. */
const TestBirth = ({ now }: { readonly now: Date }) => (
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

// Cannot be an ingestion id.
const NO_INGESTION = 'try-it';

/** Shell command that tries a key, and its effect; it creates no record. */
const buildExampleRequest = (
  pushBase: string,
  token: string,
  scopes: readonly Scope[],
): { readonly line: string; readonly says: string } =>
  scopes.includes('ingest:write')
    ? {
        line: `curl -i ${pushBase}/Bundle -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/fhir+json' -d '{"resourceType":"Bundle","type":"document"}'`,
        says: 'It answers 202. It sends an empty submission, which appears as rejected under Recent submissions and creates no record.',
      }
    : {
        line: `curl -i ${pushBase}/ingestions/${NO_INGESTION} -H 'Authorization: Bearer ${token}'`,
        says: 'It answers 404 with the code not-found: the key was accepted, and there is nothing to read at that address.',
      };
