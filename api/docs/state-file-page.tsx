import type { IjeItem } from '../../domain/ije/columns.ts';
import { IJE_ITEMS } from '../../domain/ije/items.ts';
import { LINE_LENGTH } from '../../domain/ije/state-file.ts';
import { numberInWords } from '../pages/words/measures-in-words.ts';
import { CodeList, type DocsAddresses, type DocsPage, ScrolledTable } from './docs-page.tsx';

/** Every item of the state file: the table that the file itself is written by. */
export const stateFilePage = ({ asset }: DocsAddresses): DocsPage => ({
  path: '/docs/state-file',
  title: 'Items of the state file (IJE)',
  styles: [asset('docs.css')],
  scripts: [],
  content: (
    <>
      <p>
        States exchange births as natality records of the Inter-Jurisdictional Exchange (IJE):{' '}
        {numberInWords(LINE_LENGTH)} ASCII characters a line, one line for each child that was born
        alive. A practice exports the file on its page of records; an operator by{' '}
        <code>operator export --format ije</code>. Voided records, fetal deaths, and records of
        partners, which have no names, are left out.
      </p>
      <p>
        Names and addresses lose their accents, and are cut where they are longer than their
        columns. Columns that are on neither list are blank.
      </p>
      <h2>Items that records hold</h2>
      <Items label="Items that records hold" items={IJE_ITEMS.filter(isHeld)} />
      <h2>Items that are the same in every line</h2>
      <Items
        label="Items that are the same in every line"
        items={IJE_ITEMS.filter((item) => !isHeld(item))}
      />
    </>
  ),
});

const isHeld = ({ reads }: IjeItem): boolean => reads.length > 0;

const Items = ({
  label,
  items,
}: {
  readonly label: string;
  readonly items: readonly IjeItem[];
}) => (
  <ScrolledTable
    label={label}
    class="codes"
    columns={['Column', 'Characters', 'Field of the record', 'How it is written']}
  >
    {items.map(({ name, begin, length, reads, rule }) => (
      <tr key={name}>
        <td>
          <code>{name}</code>
        </td>
        <td>{length === 1 ? begin : `${begin}–${begin + length - 1}`}</td>
        <td>
          <CodeList codes={reads} />
        </td>
        <td>{rule}</td>
      </tr>
    ))}
  </ScrolledTable>
);
