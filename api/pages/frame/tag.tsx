/** What a record or a practice may be marked as. */
export type TagKind =
  | 'live'
  | 'voided'
  | 'fetal-death'
  | 'suspected-duplicate'
  | 'sandbox'
  | 'warning'
  | 'plain';

/** The usual texts of the marks. */
export const TAG_TEXTS: Readonly<Record<TagKind, string>> = {
  live: 'Active',
  voided: 'Voided',
  'fetal-death': 'Fetal death',
  'suspected-duplicate': 'Suspected duplicate',
  sandbox: 'Sandbox',
  warning: 'Needs a look',
  plain: '',
};

/** A mark in words; its color says nothing that they do not. @param text instead of the usual one */
export const Tag = ({
  kind,
  text = TAG_TEXTS[kind],
}: {
  readonly kind: TagKind;
  readonly text?: string;
}) => <span class={`tag tag--${kind}`}>{text}</span>;
