import { EDIT_FLAGS } from '../../domain/course/edit-flags.ts';
import { EDIT_SOURCES } from '../../domain/course/edits/edit.ts';
import { EDITS } from '../../domain/course/edits/edits.ts';
import { CodeList, type DocsAddresses, type DocsPage, ScrolledTable } from './docs-page.tsx';

/** Generated from the table of edits. */
export const editsPage = ({ asset }: DocsAddresses): DocsPage => ({
  path: '/docs/edits',
  title: 'Edits',
  styles: [asset('docs.css')],
  scripts: [],
  content: (
    <>
      <p>
        A value that is hard to believe is recorded unchanged, and the receipt does not change. The
        practice is asked about it, and confirms or corrects it. A value that is not possible is
        left out with a warning instead: the receipt lists it.
      </p>
      <dl>
        {Object.entries(EDIT_SOURCES).map(([source, name]) => (
          <>
            <dt>{source}</dt>
            <dd>{name}</dd>
          </>
        ))}
      </dl>
      <ScrolledTable
        label="Edits"
        class="codes"
        columns={['Field and id', 'Asks when', 'Other fields', 'Source', 'Edit flag']}
      >
        {EDITS.map((edit) => (
          <tr key={`${edit.id} ${edit.at}`}>
            <td>
              <code>{edit.at}</code>
              <br />
              <code>{edit.id}</code>
            </td>
            <td>{edit.when}</td>
            <td>
              <CodeList codes={listOtherFields(edit)} />
            </td>
            <td>{edit.source}</td>
            <td>
              <CodeList codes={listFlags(edit)} />
            </td>
          </tr>
        ))}
      </ScrolledTable>
    </>
  ),
});

const listOtherFields = (edit: (typeof EDITS)[number]): readonly string[] => [
  ...new Set([...(edit.beside ?? []), ...('ofSiblings' in edit ? (edit.ofSiblings ?? []) : [])]),
];

const listFlags = ({ at }: (typeof EDITS)[number]): readonly string[] =>
  EDIT_FLAGS.filter(({ field, others = [] }) => [field, ...others].includes(at)).map(
    ({ column }) => column,
  );
