import { type Style, styleOf } from "./styles.js";

export const API_STYLE: Style = styleOf(
  `
main,.top{max-width:54rem}
code{font:.875em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
h2{margin:2.25rem 0 .5rem}
.card h3{font-size:1rem;margin:0;display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline}
.card h3 a{color:inherit;text-decoration:none}
.card h4{font-size:.875rem;margin:1.1rem 0 .25rem;color:var(--soft);font-weight:600}
.method{font:600 .8125rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--accent);min-width:2.7rem;display:inline-block}
table{border-collapse:collapse;width:100%;font-size:.9375rem;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
th{font-size:.8125rem;color:var(--soft);font-weight:600}
td:last-child,th:last-child{padding-right:0}
td a{text-decoration:none}
td a:hover{text-decoration:underline}
.fields{list-style:none;margin:.25rem 0;padding:0}
.fields li{padding:.35rem 0;border-bottom:1px solid var(--line)}
.fields li:last-child{border-bottom:0}
.fields .where{color:var(--soft);font-size:.8125rem;padding-top:.75rem}
.fields .name{font-weight:600}
.fields .type{color:var(--soft);font-size:.875rem;margin-left:.35rem}
.fields p{margin:.1rem 0 0;font-size:.875rem;color:var(--soft)}
td:first-child,th:first-child{white-space:nowrap}
.must{white-space:nowrap;display:inline-block;color:var(--bad);font-size:.8125rem;margin-left:.35rem}
.codes code{white-space:nowrap;margin-right:.5rem;display:inline-block}
details.extra>summary{color:var(--accent)}
@media (max-width:40rem){table.routes thead{display:none}table.routes tr{display:block;border-bottom:1px solid var(--line);padding:.5rem 0}
table.routes td,table.routes td:first-child{display:block;border:0;padding:0;white-space:normal}table.routes td.who{color:var(--soft);font-size:.8125rem}}
`.trim(),
);
