import type { ComponentChildren } from 'preact';
import type { Scope } from '../../../domain/api-key/events.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { scopesInWords } from './scope-words.ts';
import { CopyButton, ShownOnce } from './shown-once.tsx';
import { tryIt } from './try-it.ts';

/** A key that was just minted. */
export interface MintedKeyProps {
  readonly name: string;
  readonly token: string;
  readonly scopes: readonly Scope[];
  /** For whom, where that is not the reader: "Maple EHR at Cedar Birth Center". */
  readonly holder?: string;
  /** Address of the push lane. */
  readonly pushBase: string;
  /** Where the list of keys is. */
  readonly back: string;
  /** Offers to send a made-up birth with the key. */
  readonly testBirth?: ComponentChildren;
}

/** The one page that ever shows a token. */
export const MintedKey = (props: MintedKeyProps) => {
  const { name, token, scopes, holder, pushBase, back, testBirth } = props;
  const { line, says } = tryIt(pushBase, token, scopes);
  return (
    <>
      <Notice kind="warning">
        The token is shown this once. Copy it now and keep it like a password: anyone who has it can
        use the key. If it gets lost, revoke the key and mint another.
      </Notice>
      <p>
        <strong>{name}</strong>
        {holder !== undefined && ` for ${holder}`}: {scopesInWords(scopes)}.
      </p>
      <ShownOnce id="minted-token" label="Token" text={token} copy="Copy token" />
      {testBirth}
      <section aria-labelledby="try-it">
        <h2 id="try-it">Try it in a shell</h2>
        <pre class="shell" id="try-it-line">
          {line}
        </pre>
        <CopyButton of="try-it-line">Copy line</CopyButton>
        <p>{says}</p>
      </section>
      <p>
        <a href={back}>I have kept the token: back to the keys</a>
      </p>
    </>
  );
};

/** A form for a key that was sent before: nothing was minted by sending it again. */
export const MintedBefore = ({ back }: { readonly back: string }) => (
  <>
    <Notice kind="info">This key was minted already; its token is not shown again.</Notice>
    <p>If you did not keep the token, revoke the key in the list and mint another.</p>
    <p>
      <a href={back}>Back to the keys</a>
    </p>
  </>
);
