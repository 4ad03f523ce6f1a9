import type { Chart } from './resources.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** The list of patients: each link opens the registry from that patient's chart. */
export const launchPage = (
  charts: Readonly<Record<string, Chart>>,
  serviceUrls: readonly string[],
  launchUrl: (serviceUrl: string, patientId: string) => string,
): string => {
  const rows = serviceUrls.flatMap((serviceUrl) =>
    Object.entries(charts).map(
      ([patientId, { about }]) =>
        `<li><a href="${escaped(launchUrl(serviceUrl, patientId))}">${escaped(about)}</a> (${escaped(patientId)})</li>`,
    ),
  );
  return `<h1>Simulated EHR</h1><p>Synthetic patients. Each link opens the birth registry from the chart, as a clinician would.</p><ul>${rows.join('')}</ul>`;
};
