export interface PaginationProps {
  /** One-based. */
  readonly page: number;
  readonly pages: number;
  readonly href: (page: number) => string;
  /** Name of the list for the navigation's label: "Records". */
  readonly of: string;
}

/** Links to the previous and next page; nothing for a single page. */
export const Pagination = ({ page, pages, href, of }: PaginationProps) =>
  pages <= 1 ? null : (
    <nav class="cluster margin-top-205" aria-label={`Pages of ${of}`}>
      {page > 1 && (
        <a class="no-print" href={href(page - 1)} rel="prev">
          Previous page
        </a>
      )}
      <span data-message="page-of-list">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a class="no-print" href={href(page + 1)} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
