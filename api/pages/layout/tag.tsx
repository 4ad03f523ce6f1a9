export type TagKind =
  | 'live'
  | 'voided'
  | 'fetal-death'
  | 'suspected-duplicate'
  | 'sandbox'
  | 'warning'
  | 'plain';

const TAG_TEXTS: Readonly<Record<TagKind, string>> = {
  live: 'Active',
  voided: 'Voided',
  'fetal-death': 'Fetal death',
  'suspected-duplicate': 'Possible duplicate',
  sandbox: 'Sandbox',
  warning: 'Needs review',
  plain: '',
};

/** The text carries the full meaning, without its color. */
export const Tag = ({
  kind,
  text = TAG_TEXTS[kind],
}: {
  readonly kind: TagKind;
  readonly text?: string;
}) => <span class={`tag tag--${kind}`}>{text}</span>;
