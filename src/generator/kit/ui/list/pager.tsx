import type { Page } from "../../api/backend.ts";
import type { Paging } from "../../descriptor.ts";
import { Icon } from "../icon.tsx";
import { pageCount, pageNumbers, pageSizes, rangeText } from "./paging-text.ts";

export function Pager({
  paging,
  page,
  pageSize,
  loaded,
  loading,
  onPage,
  onPageSize,
}: {
  paging: Paging;
  /** The first is 0. */
  page: number;
  pageSize: number;
  loaded: Page;
  loading: boolean;
  onPage: (page: number) => void;
  onPageSize: (size: number) => void;
}) {
  const hasNumbers = paging.kind === "page" || paging.kind === "offset";
  // The way to the page after the next is known when the next one is there.
  const next = () => {
    if (hasNumbers || !loading) onPage(page + 1);
  };
  const count = hasNumbers ? pageCount(loaded.total, pageSize) : undefined;
  return (
    <nav className="pager" aria-label="Pages">
      <p className="pager-range" role="status">
        {rangeText(page * pageSize, loaded.rows.length, loaded.total)}
      </p>
      {paging.sizeParam && (
        <PageSizeChoice paging={paging} pageSize={pageSize} onPageSize={onPageSize} />
      )}
      <div className="pager-buttons">
        <PagerStep
          label="Previous page"
          back
          disabled={page === 0}
          onStep={() => onPage(page - 1)}
        />
        {count !== undefined &&
          pageNumbers(page, count).map((number, index) =>
            number === undefined ? (
              <span key={`gap ${index === 1 ? "start" : "end"}`} className="pager-gap">
                …
              </span>
            ) : (
              <button
                key={number}
                type="button"
                className="pager-number"
                aria-label={`Page ${number + 1}`}
                aria-current={number === page ? "page" : undefined}
                onClick={() => onPage(number)}
              >
                {number + 1}
              </button>
            ),
          )}
        <PagerStep label="Next page" disabled={!loaded.hasNext} onStep={next} />
      </div>
    </nav>
  );
}

function PagerStep({
  label,
  back = false,
  disabled,
  onStep,
}: {
  label: string;
  back?: boolean;
  disabled: boolean;
  onStep: () => void;
}) {
  return (
    <button
      type="button"
      className="icon-button pager-step"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onStep}
    >
      <Icon name={back ? "chevronStart" : "chevronEnd"} />
    </button>
  );
}

function PageSizeChoice({
  paging,
  pageSize,
  onPageSize,
}: {
  paging: Paging;
  pageSize: number;
  onPageSize: (size: number) => void;
}) {
  const most = "maxSize" in paging ? paging.maxSize : undefined;
  return (
    <label className="pager-size">
      <span>Rows per page</span>
      <select value={pageSize} onChange={(event) => onPageSize(Number(event.target.value))}>
        {pageSizes(pageSize, paging.size, most).map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
    </label>
  );
}
