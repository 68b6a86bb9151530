import { ButtonLink } from "../ui/button.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { EmptyState } from "../ui/states.tsx";

export function UnknownPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon="search"
        title="There is nothing at this address"
        actions={<ButtonLink to={{ page: "home" }}>Go to the overview</ButtonLink>}
      />
    </>
  );
}
