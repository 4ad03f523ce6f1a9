import { type FieldPath, findFieldAt } from '../../domain/course/fields.ts';
import { EXPORTED_ELEMENTS } from '../../domain/export/bfdr/exported-elements.ts';
import { DOCUMENT_DIFFERENCES } from '../../domain/export/ije/document-differences.ts';
import { IJE_ITEMS } from '../../domain/export/ije/items.ts';
import { ACCOUNTED_COLUMNS } from '../../domain/export/ije/layout.ts';
import { LINE_LENGTH } from '../../domain/export/ije/state-file.ts';
import { numberInWords } from '../../domain/format-measures.ts';
import { CodeList, type DocsAddresses, type DocsPage, ScrolledTable } from './docs-page.tsx';

/** Generated from the tables that write Bundles and the state file. */
export const exportedItemsPage = ({ asset }: DocsAddresses): DocsPage => ({
  path: '/docs/exported-items',
  title: 'Exported items',
  styles: [asset('docs.css')],
  scripts: [],
  content: (
    <>
      <p>
        A record can be exported as a FHIR document Bundle, or as one line for each child in the
        state file. A Bundle that is pushed back gives the same record. Where the guide asks for
        another value than the record has, the Bundle has both: the guide’s in its element, and the
        record’s in an extension beside it, which other systems pass over.
      </p>
      <h2>Fields of a record</h2>
      <ScrolledTable
        label="Fields of a record"
        class="codes"
        columns={['Field', 'Element of the Bundle', 'What other systems read', 'State file']}
      >
        {EXPORTED_ELEMENTS.map(({ path, element, interpretation }) => (
          <tr key={path}>
            <td>
              {findFieldAt(path).label}
              <br />
              <code>{path}</code>
            </td>
            <td>
              <code>{element}</code>
            </td>
            <td>{interpretation}</td>
            <td>
              <CodeList codes={listColumns(path)} />
            </td>
          </tr>
        ))}
      </ScrolledTable>
      <h2 id="state-file">The state file (IJE)</h2>
      <p>
        States exchange births as natality records of the Inter-Jurisdictional Exchange (IJE):{' '}
        {numberInWords(LINE_LENGTH)} ASCII characters a line, one line for each child that was born
        alive. A practice exports the file on its page of records; an operator by{' '}
        <code>operator export --format ije</code>. Voided records, fetal deaths, and records of
        partners, which have no names, are left out.
      </p>
      <p>
        Names and addresses lose their accents, and are cut where they are longer than their
        columns.
      </p>
      <p>
        A practice can bind a custom field to an item of the certificate that no field holds.
        Without one, or without a value, the column has what the layout has for “unknown”, or
        blanks. An item of a child is written for single births only: a custom field is held once
        for a birth.
      </p>
      <h3 id="columns">Every column of the layout</h3>
      <ScrolledTable
        label="Every column of the layout"
        class="codes"
        columns={[
          'Column',
          'Characters',
          'A line has',
          'Field',
          'How it is written, or why it is blank',
        ]}
      >
        {ACCOUNTED_COLUMNS.map(({ name, begin, length, has, reads, asks, rule }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>{length === 1 ? begin : `${begin}–${begin + length - 1}`}</td>
            <td>{has}</td>
            <td>{asks ?? <CodeList codes={reads} />}</td>
            <td>{rule}</td>
          </tr>
        ))}
      </ScrolledTable>
      <h3 id="differences">Where the Bundle of a child says something else</h3>
      <p>
        Of each column, the Bundle of a child says by the guide what the line says, except for the
        following. The first row that applies counts.
      </p>
      <ScrolledTable
        label="Where the Bundle of a child says something else"
        class="codes"
        columns={['Columns', 'Bundle of a child', 'State file', 'Why']}
      >
        {DOCUMENT_DIFFERENCES.map(({ columns, name, document, line, why }) => (
          <tr key={why}>
            <td>{name ?? <CodeList codes={columns} />}</td>
            <td>{document}</td>
            <td>{line}</td>
            <td>{why}</td>
          </tr>
        ))}
      </ScrolledTable>
    </>
  ),
});

const listColumns = (path: FieldPath): readonly string[] =>
  IJE_ITEMS.filter(({ reads }) => reads.includes(path)).map(({ name }) => name);
