import { REGISTRY_CODES } from '../../domain/course/codes.ts';
import { REGISTRY_KINDS } from '../../domain/intake/bfdr/observation-kinds.ts';
import { CodeList, type DocsAddresses, type DocsPage } from './docs-page.tsx';

export const endpointsPage = ({ root, asset }: DocsAddresses): DocsPage => ({
  path: '/docs',
  title: 'Sending births to the registry',
  styles: [asset('swagger-ui.css'), asset('docs.css')],
  scripts: [asset('swagger-ui.js'), asset('docs.js')],
  content: (
    <>
      <p>
        Submit a FHIR R4 BFDR Bundle with an API key, then poll the address in{' '}
        <code>Content-Location</code> until the receipt is completed or failed. Each record is
        accepted or rejected on its own.
      </p>
      <p>
        What went wrong, and how to fix it, stands under{' '}
        <a href={`${root}/docs/diagnostics`}>Diagnostics</a>.{' '}
        <a href={`${root}/docs/codes`}>Codes</a> lists every code that is read, with its field,
        units and place. For what has no published code the registry has{' '}
        <a href={`${root}/docs/codes#own-codes`}>codes of its own</a>, in the system{' '}
        <code>{REGISTRY_CODES}</code>: <CodeList codes={[...REGISTRY_KINDS.keys()]} />. The contract
        itself is <a href={`${root}/openapi.json`}>openapi.json</a>.
      </p>
      <div id="endpoints" data-contract={`${root}/openapi.json`}>
        <noscript>
          <p>
            The list of endpoints needs JavaScript;{' '}
            <a href={`${root}/openapi.json`}>openapi.json</a> does not.
          </p>
        </noscript>
      </div>
    </>
  ),
});
