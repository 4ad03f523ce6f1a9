/** Style of the pages below `/docs`. */
export const DOCS_STYLE = `:root { color-scheme: light; --ink: #1b1b1b; --soft: #565c65; --line: #dfe1e2;
  --accent: #005ea2; --shade: #f7f9fa; --wrong: #b50909; --right: #146947; }
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff; font: 16px/1.5 system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, pre:focus-visible, button:focus-visible {
  outline: 3px solid #2491ff; outline-offset: 2px; }
.frame { max-width: 72rem; margin: 0 auto; padding: 0 16px; }
.head { border-bottom: 1px solid var(--line); }
.head .frame { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: baseline; padding-block: 12px; }
.head strong { margin-right: auto; }
.head nav { display: flex; flex-wrap: wrap; gap: 4px 16px; }
.head a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 32px 0 8px; }
h2 { font-size: 1.375rem; line-height: 1.3; margin: 40px 0 8px; }
h3 { font-size: 1.0625rem; line-height: 1.4; margin: 0 0 8px; overflow-wrap: anywhere; }
h4 { font-size: .875rem; margin: 0 0 4px; }
p { margin: 0 0 12px; max-width: 44rem; overflow-wrap: anywhere; }
.codes td { min-width: 8rem; }
main { padding-bottom: 64px; }
code, pre { font: .875rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
td code { white-space: nowrap; }
pre { margin: 0; padding: 12px; background: var(--shade); border: 1px solid var(--line);
  border-radius: 4px; overflow: auto; max-height: 26rem; }
.request { white-space: pre-wrap; overflow-wrap: anywhere; }
.entry { border-top: 1px solid var(--line); padding: 20px 0; }
.entry > * { min-width: 0; }
.marks { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 8px; padding: 0; list-style: none; }
.marks li { padding: 0 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--shade); }
.examples { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 16px; }
.examples > * { min-width: 0; }
.wrong { color: var(--wrong); }
.right { color: var(--right); }
details { margin-top: 4px; }
summary { cursor: pointer; color: var(--accent); padding: 4px 0; }
.note { color: var(--soft); font-size: .875rem; margin: 4px 0; }
.contents { columns: 20rem; padding-left: 20px; margin: 0 0 12px; }
.contents li { break-inside: avoid; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 8px 0 16px; }
th, td { text-align: left; vertical-align: top; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); }
caption { text-align: left; font-weight: 600; padding: 8px 0; }
#endpoints { min-height: 12rem; }
#endpoints .wrapper { padding: 0; max-width: none; }
#endpoints .scheme-container { box-shadow: none; padding: 16px 0; margin: 0; }
#endpoints p { max-width: none; }
#endpoints .headers td, #endpoints .headers th { padding: 4px 12px 4px 0; white-space: normal; }
#endpoints .opblock-summary-path { overflow-wrap: anywhere; word-break: normal; }
@media (max-width: 40rem) {
  h1 { font-size: 1.5rem; margin-top: 20px; }
  #endpoints .opblock .opblock-summary, #endpoints .opblock-summary-path-description-wrapper { flex-wrap: wrap; }
  #endpoints .opblock .opblock-summary-path { max-width: 100%; padding: 4px 0; }
  #endpoints .table-container, #endpoints .responses-inner, #endpoints .opblock-description-wrapper { padding: 8px; }
  #endpoints .opblock-body thead { display: none; }
  #endpoints .opblock-body table, #endpoints .opblock-body tbody, #endpoints .opblock-body tr, #endpoints .opblock-body td {
    display: block; width: auto; min-width: 0; max-width: 100%; padding: 4px 0; }
  #endpoints .opblock-body .response-col_links, #endpoints .opblock-body .response-col_links + td { display: none; }
  #endpoints .opblock-body input[type=text] { min-width: 0; width: 100%; }
  #endpoints .opblock .opblock-section-header { flex-wrap: wrap; gap: 8px; height: auto; }
  #endpoints .scheme-container .schemes { flex-wrap: wrap; gap: 12px; }
  #endpoints .response-controls { flex-wrap: wrap; gap: 8px; }
  #endpoints select { max-width: 100%; min-width: 0; }
}
`;
