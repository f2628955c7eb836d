/** How the page of a report looks, light and dark. Control plane. */

export const PAGE_STYLE = `
:root{color-scheme:light dark;--back:#fff;--card:#f6f7f9;--text:#1c2330;--soft:#5b6472;
  --grid:#e1e5ea;--good:#177245;--bad:#b42318;--line-1:#2563eb;--line-2:#d97706;--line-3:#059669;
  --line-4:#9333ea;--line-5:#64748b}
@media(prefers-color-scheme:dark){:root{--back:#14181f;--card:#1c222c;--text:#e6e9ee;
  --soft:#98a2b3;--grid:#2d3643;--good:#4ade80;--bad:#f87171;--line-1:#60a5fa;--line-2:#fbbf24;
  --line-3:#34d399;--line-4:#c084fc;--line-5:#94a3b8}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:960px;padding:24px 20px 48px;background:var(--back);
  color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:24px;margin:0 0 4px}
.soft,.unit{color:var(--soft)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(112px,1fr));gap:12px;
  margin:20px 0}
.tile{background:var(--card);border-radius:10px;padding:12px 14px}
.tile b{display:block;font-size:22px;font-weight:650}
.tile span{color:var(--soft);font-size:13px}
.good{color:var(--good)}
.bad{color:var(--bad)}
figure{margin:28px 0 0;background:var(--card);border-radius:10px;padding:14px 16px}
figcaption{font-weight:600;margin-bottom:6px}
figcaption .unit{font-weight:400;font-size:13px}
svg{width:100%;height:auto;display:block}
svg text{fill:var(--soft);font-size:12px}
.grid{stroke:var(--grid)}
.limit{stroke:var(--bad);stroke-dasharray:5 4}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;margin:8px 0 0;padding:0;
  font-size:13px;color:var(--soft)}
.legend i{display:inline-block;width:12px;height:3px;border-radius:2px;margin-right:6px;
  vertical-align:middle}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin-top:28px;font-size:13px;
  font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:6px 8px;border-bottom:1px solid var(--grid);white-space:nowrap}
th:first-child,td:first-child{text-align:left}
th{font-weight:600;color:var(--soft)}
li{margin:2px 0}`;
