import type { ResourceEntry } from "../descriptor.ts";
import { navigationGroups, shownEntries } from "../ui/navigation.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { ResourceCard } from "../ui/resource-card.tsx";
import { Link } from "../ui/router.tsx";
import { EmptyState } from "../ui/states.tsx";
import { SummaryCard } from "../ui/summary-card.tsx";
import { useWorkspace } from "../ui/workspace.tsx";

/** Cards for the main resources; with more than that, a page of cards helps nobody. */
const mostCards = 12;
/** Only the first cards ask the API how many records there are. */
const mostCounts = 9;

/** What the API holds: its figures, and a way into each of its resources. */
export function HomePage() {
  const { api, resources: all } = useWorkspace().descriptor;
  const resources = shownEntries(all);
  const main = resources.filter((entry) => entry.main);
  const cards = (main.length > 0 ? main : resources).slice(0, mostCards);
  return (
    <>
      <PageHeader title={api.title} description={api.description} />
      {api.summaries.length > 0 && (
        <section className="page-section" aria-label="Figures">
          <div className="summaries">
            {api.summaries.map((summary) => (
              <SummaryCard key={summary.id} summary={summary} />
            ))}
          </div>
        </section>
      )}
      {resources.length === 0 && (
        <EmptyState icon="box" title="This API has no resources">
          <p>
            {api.actions.length > 0 && <Link to={{ page: "operations" }}>See its operations</Link>}
          </p>
        </EmptyState>
      )}
      {cards.length > 0 && (
        <section className="page-section" aria-labelledby="resources-title">
          <h2 id="resources-title" className="section-title">
            {resources.length > mostCards ? "Start here" : "Resources"}
          </h2>
          <ul className="cards">
            {cards.map((entry, index) => (
              <li key={entry.id}>
                <ResourceCard entry={entry} counted={index < mostCounts} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {resources.length > mostCards && <ResourceIndex resources={resources} />}
    </>
  );
}

/** All of many, in a few columns. */
function ResourceIndex({ resources }: { resources: ResourceEntry[] }) {
  return (
    <section className="page-section" aria-labelledby="index-title">
      <h2 id="index-title" className="section-title">
        All {resources.length} resources
      </h2>
      <div className="index">
        {navigationGroups(resources).map((group) => (
          <div key={group.label ?? ""} className="index-group">
            {group.label && <h3 className="index-title">{group.label}</h3>}
            <ul>
              {group.entries.map((entry) => (
                <li key={entry.id}>
                  <Link to={{ page: "list", resource: entry.id, query: {} }}>{entry.plural}</Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}
