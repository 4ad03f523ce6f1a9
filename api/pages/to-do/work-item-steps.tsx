import type { ComponentChildren } from 'preact';
import { isDismissible, type WorkKind } from '../../../domain/work-items/items.ts';
import type { WorkDetails, WorkItem } from '../../../projections/lists/work-items.ts';
import { Form } from '../layout/form.tsx';
import { PageLink } from '../layout/record-link.tsx';
import { DecideResubmitted } from '../layout/resubmitted-after-void.tsx';
import { ConfirmUnusualValues } from '../layout/unusual-values.tsx';
import { buildPairPath, buildWorkPath, TO_DO } from '../paths.ts';
import { formatRecord } from '../text/record-titles.ts';
import type { ItemProps } from './work-item-cell.tsx';
import { KIND_TEXT } from './work-item-text.ts';

export const WorkItemSteps = (props: ItemProps) => {
  const { item, seat, query, details } = props;
  const name = formatItemName(props);
  if (query.isDismissed)
    return (
      <WorkForm {...props}>
        <Step value="reopen" text="Put back" name={name} isMain />
      </WorkForm>
    );
  const { takenBy } = item;
  return (
    <div class="cluster cluster--close flex-column flex-align-start text-no-wrap">
      <MainStep {...props} name={name} />
      <WorkForm {...props}>
        {takenBy === null && <Step value="take" text="Assign to me" name={name} />}
        {takenBy === seat.memberId && <Step value="release" text="Unassign" name={name} />}
        {takenBy !== null && takenBy !== seat.memberId && (
          <Step value="take" text="Take over" name={name} />
        )}
        {isDismissible(item.kind) && (takenBy === null || takenBy === seat.memberId) && (
          <Step value="dismiss" text="Dismiss" name={name} />
        )}
      </WorkForm>
      {item.kind === 'question' && details.questions.has(item.key) && (
        <ConfirmUnusualValues
          href={`/registry/records/${item.key}`}
          version={details.questions.get(item.key)?.version ?? 0}
          paths={item.parts}
          on={buildWorkPath(query)}
          of={name}
        />
      )}
    </div>
  );
};

const formatItemName = ({ item, details }: Pick<ItemProps, 'item' | 'details'>): string => {
  const record = details.records.get(item.key);
  if (record !== undefined) return formatRecord(record);
  const chartNumber = details.refused.get(item.key)?.chartNumber;
  if (typeof chartNumber === 'string') return `chart number ${chartNumber}`;
  return details.keys.get(item.key) ?? KIND_TEXT[item.kind].one;
};

interface StepLink {
  readonly text: string;
  readonly href: string;
}

const MAIN_STEPS: Readonly<
  Partial<Record<WorkKind, (item: WorkItem, details: WorkDetails) => StepLink>>
> = {
  question: ({ key }) => ({ text: 'Correct', href: `/registry/records/${key}/correct` }),
  missing: ({ key }) => ({ text: 'Complete', href: `/registry/records/${key}/correct` }),
  refused: ({ key }, details) => {
    const recordUuid = details.refused.get(key)?.recordUuid ?? null;
    return recordUuid === null
      ? { text: 'Enter birth', href: '/registry/records/new' }
      : { text: 'Open record', href: `/registry/records/${recordUuid}` };
  },
  duplicate: ({ key }, details) => {
    const pair = details.pairs.get(key);
    return {
      text: 'Compare',
      href: pair === undefined ? '/registry/duplicates' : buildPairPath(pair),
    };
  },
  'import-rows': ({ key }) => ({
    text: 'Show rows',
    href: `/registry/import/${key}/progress`,
  }),
  'handed-over': ({ key }) => ({
    text: 'Decide',
    href: `/registry/records/handed-over/${key}`,
  }),
  'key-ending': () => ({ text: 'Open keys', href: '/registry/integrations' }),
  'access-review': () => ({ text: 'Review', href: '/registry/members/review' }),
};

const MainStep = ({ item, details, name }: ItemProps & { readonly name: string }) => {
  const step = MAIN_STEPS[item.kind]?.(item, details);
  if (step !== undefined)
    return (
      <PageLink class="usa-button usa-button--outline" href={step.href}>
        {step.text}
        <span class="usa-sr-only"> {name}</span>
      </PageLink>
    );
  const revival = details.revived.get(item.key);
  return revival === undefined ? null : (
    <DecideResubmitted
      href={`/registry/records/${item.key}`}
      version={revival.version}
      on="to-do"
      of={name}
    />
  );
};

const WorkForm = ({
  item,
  query,
  children,
}: ItemProps & { readonly children: ComponentChildren }) => (
  <Form action={TO_DO} class="cluster">
    <input type="hidden" name="kind" value={item.kind} />
    <input type="hidden" name="key" value={item.key} />
    <input type="hidden" name="from" value={item.takenBy ?? ''} />
    <input type="hidden" name="shown" value={buildWorkPath(query).slice(TO_DO.length)} />
    {children}
  </Form>
);

const Step = ({
  value,
  text,
  name,
  isMain = false,
}: {
  readonly value: string;
  readonly text: string;
  readonly name: string;
  readonly isMain?: boolean;
}) => (
  <button
    type="submit"
    name="do"
    value={value}
    class={`usa-button usa-button--${isMain ? 'outline' : 'unstyled'}`}
  >
    {text}
    <span class="usa-sr-only"> {name}</span>
  </button>
);
