/** Where a list stands that does not fit one page. */
export interface PaginationProps {
  /** One-based. */
  readonly page: number;
  /** How many pages there are; at least one. */
  readonly pages: number;
  /** Address of a page of the list, with its filters. */
  readonly href: (page: number) => string;
  /** What the pages are of, for the name of the navigation: "Records". */
  readonly of: string;
}

/** Says which page this is. */
export const describePage = (page: number, pages: number): string => `Page ${page} of ${pages}`;

/** The ways to the other pages of a list; nothing if it has but one. */
export const Pagination = ({ page, pages, href, of }: PaginationProps) =>
  pages <= 1 ? null : (
    <nav class="cluster margin-top-205" aria-label={`Pages of ${of}`}>
      {page > 1 && (
        <a class="pages__step" href={href(page - 1)} rel="prev">
          Previous page
        </a>
      )}
      <span>{describePage(page, pages)}</span>
      {page < pages && (
        <a class="pages__step" href={href(page + 1)} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
