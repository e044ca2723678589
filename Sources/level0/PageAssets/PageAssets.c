// Made by scripts/list-embedded-files.
#include "PageAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "../../level4/DataPage/Assets/api.js"
};

static const unsigned char app_css[] = {
#embed "../../level4/DataPage/Assets/app.css"
};

static const unsigned char app_js[] = {
#embed "../../level4/DataPage/Assets/app.js"
};

static const unsigned char celleditor_js[] = {
#embed "../../level4/DataPage/Assets/celleditor.js"
};

static const unsigned char cells_js[] = {
#embed "../../level4/DataPage/Assets/cells.js"
};

static const unsigned char chart_js[] = {
#embed "../../level4/DataPage/Assets/chart.js"
};

static const unsigned char choices_js[] = {
#embed "../../level4/DataPage/Assets/choices.js"
};

static const unsigned char clipboard_js[] = {
#embed "../../level4/DataPage/Assets/clipboard.js"
};

static const unsigned char columns_js[] = {
#embed "../../level4/DataPage/Assets/columns.js"
};

static const unsigned char columnsmenu_js[] = {
#embed "../../level4/DataPage/Assets/columnsmenu.js"
};

static const unsigned char conflict_js[] = {
#embed "../../level4/DataPage/Assets/conflict.js"
};

static const unsigned char conflicts_js[] = {
#embed "../../level4/DataPage/Assets/conflicts.js"
};

static const unsigned char csv_js[] = {
#embed "../../level4/DataPage/Assets/csv.js"
};

static const unsigned char curl_js[] = {
#embed "../../level4/DataPage/Assets/curl.js"
};

static const unsigned char devices_js[] = {
#embed "../../level4/DataPage/Assets/devices.js"
};

static const unsigned char dom_js[] = {
#embed "../../level4/DataPage/Assets/dom.js"
};

static const unsigned char edit_css[] = {
#embed "../../level4/DataPage/Assets/edit.css"
};

static const unsigned char edit_js[] = {
#embed "../../level4/DataPage/Assets/edit.js"
};

static const unsigned char editdom_js[] = {
#embed "../../level4/DataPage/Assets/editdom.js"
};

static const unsigned char facets_js[] = {
#embed "../../level4/DataPage/Assets/facets.js"
};

static const unsigned char field_js[] = {
#embed "../../level4/DataPage/Assets/field.js"
};

static const unsigned char filter_js[] = {
#embed "../../level4/DataPage/Assets/filter.js"
};

static const unsigned char filtertext_js[] = {
#embed "../../level4/DataPage/Assets/filtertext.js"
};

static const unsigned char form_js[] = {
#embed "../../level4/DataPage/Assets/form.js"
};

static const unsigned char grid_css[] = {
#embed "../../level4/DataPage/Assets/grid.css"
};

static const unsigned char grid_js[] = {
#embed "../../level4/DataPage/Assets/grid.js"
};

static const unsigned char hands_js[] = {
#embed "../../level4/DataPage/Assets/hands.js"
};

static const unsigned char head_js[] = {
#embed "../../level4/DataPage/Assets/head.js"
};

static const unsigned char health_js[] = {
#embed "../../level4/DataPage/Assets/health.js"
};

static const unsigned char icon_svg[] = {
#embed "../../level4/DataPage/Assets/icon.svg"
};

static const unsigned char index_html[] = {
#embed "../../level4/DataPage/Assets/index.html"
};

static const unsigned char json_js[] = {
#embed "../../level4/DataPage/Assets/json.js"
};

static const unsigned char links_js[] = {
#embed "../../level4/DataPage/Assets/links.js"
};

static const unsigned char live_js[] = {
#embed "../../level4/DataPage/Assets/live.js"
};

static const unsigned char look_js[] = {
#embed "../../level4/DataPage/Assets/look.js"
};

static const unsigned char marks_js[] = {
#embed "../../level4/DataPage/Assets/marks.js"
};

static const unsigned char meter_js[] = {
#embed "../../level4/DataPage/Assets/meter.js"
};

static const unsigned char outbox_js[] = {
#embed "../../level4/DataPage/Assets/outbox.js"
};

static const unsigned char pages_js[] = {
#embed "../../level4/DataPage/Assets/pages.js"
};

static const unsigned char paint_js[] = {
#embed "../../level4/DataPage/Assets/paint.js"
};

static const unsigned char paste_js[] = {
#embed "../../level4/DataPage/Assets/paste.js"
};

static const unsigned char poll_js[] = {
#embed "../../level4/DataPage/Assets/poll.js"
};

static const unsigned char pretty_js[] = {
#embed "../../level4/DataPage/Assets/pretty.js"
};

static const unsigned char requests_js[] = {
#embed "../../level4/DataPage/Assets/requests.js"
};

static const unsigned char review_js[] = {
#embed "../../level4/DataPage/Assets/review.js"
};

static const unsigned char rows_js[] = {
#embed "../../level4/DataPage/Assets/rows.js"
};

static const unsigned char rowstate_js[] = {
#embed "../../level4/DataPage/Assets/rowstate.js"
};

static const unsigned char schema_js[] = {
#embed "../../level4/DataPage/Assets/schema.js"
};

static const unsigned char sending_js[] = {
#embed "../../level4/DataPage/Assets/sending.js"
};

static const unsigned char setcolumn_js[] = {
#embed "../../level4/DataPage/Assets/setcolumn.js"
};

static const unsigned char signin_js[] = {
#embed "../../level4/DataPage/Assets/signin.js"
};

static const unsigned char staging_js[] = {
#embed "../../level4/DataPage/Assets/staging.js"
};

static const unsigned char tables_js[] = {
#embed "../../level4/DataPage/Assets/tables.js"
};

static const unsigned char theme_js[] = {
#embed "../../level4/DataPage/Assets/theme.js"
};

static const unsigned char times_js[] = {
#embed "../../level4/DataPage/Assets/times.js"
};

static const unsigned char undo_js[] = {
#embed "../../level4/DataPage/Assets/undo.js"
};

static const unsigned char views_css[] = {
#embed "../../level4/DataPage/Assets/views.css"
};

static const unsigned char viewwords_js[] = {
#embed "../../level4/DataPage/Assets/viewwords.js"
};

static const unsigned char words_js[] = {
#embed "../../level4/DataPage/Assets/words.js"
};

static const page_asset_t files[] = {
    {"api.js", api_js, sizeof api_js},
    {"app.css", app_css, sizeof app_css},
    {"app.js", app_js, sizeof app_js},
    {"celleditor.js", celleditor_js, sizeof celleditor_js},
    {"cells.js", cells_js, sizeof cells_js},
    {"chart.js", chart_js, sizeof chart_js},
    {"choices.js", choices_js, sizeof choices_js},
    {"clipboard.js", clipboard_js, sizeof clipboard_js},
    {"columns.js", columns_js, sizeof columns_js},
    {"columnsmenu.js", columnsmenu_js, sizeof columnsmenu_js},
    {"conflict.js", conflict_js, sizeof conflict_js},
    {"conflicts.js", conflicts_js, sizeof conflicts_js},
    {"csv.js", csv_js, sizeof csv_js},
    {"curl.js", curl_js, sizeof curl_js},
    {"devices.js", devices_js, sizeof devices_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"edit.css", edit_css, sizeof edit_css},
    {"edit.js", edit_js, sizeof edit_js},
    {"editdom.js", editdom_js, sizeof editdom_js},
    {"facets.js", facets_js, sizeof facets_js},
    {"field.js", field_js, sizeof field_js},
    {"filter.js", filter_js, sizeof filter_js},
    {"filtertext.js", filtertext_js, sizeof filtertext_js},
    {"form.js", form_js, sizeof form_js},
    {"grid.css", grid_css, sizeof grid_css},
    {"grid.js", grid_js, sizeof grid_js},
    {"hands.js", hands_js, sizeof hands_js},
    {"head.js", head_js, sizeof head_js},
    {"health.js", health_js, sizeof health_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"index.html", index_html, sizeof index_html},
    {"json.js", json_js, sizeof json_js},
    {"links.js", links_js, sizeof links_js},
    {"live.js", live_js, sizeof live_js},
    {"look.js", look_js, sizeof look_js},
    {"marks.js", marks_js, sizeof marks_js},
    {"meter.js", meter_js, sizeof meter_js},
    {"outbox.js", outbox_js, sizeof outbox_js},
    {"pages.js", pages_js, sizeof pages_js},
    {"paint.js", paint_js, sizeof paint_js},
    {"paste.js", paste_js, sizeof paste_js},
    {"poll.js", poll_js, sizeof poll_js},
    {"pretty.js", pretty_js, sizeof pretty_js},
    {"requests.js", requests_js, sizeof requests_js},
    {"review.js", review_js, sizeof review_js},
    {"rows.js", rows_js, sizeof rows_js},
    {"rowstate.js", rowstate_js, sizeof rowstate_js},
    {"schema.js", schema_js, sizeof schema_js},
    {"sending.js", sending_js, sizeof sending_js},
    {"setcolumn.js", setcolumn_js, sizeof setcolumn_js},
    {"signin.js", signin_js, sizeof signin_js},
    {"staging.js", staging_js, sizeof staging_js},
    {"tables.js", tables_js, sizeof tables_js},
    {"theme.js", theme_js, sizeof theme_js},
    {"times.js", times_js, sizeof times_js},
    {"undo.js", undo_js, sizeof undo_js},
    {"views.css", views_css, sizeof views_css},
    {"viewwords.js", viewwords_js, sizeof viewwords_js},
    {"words.js", words_js, sizeof words_js},
};

int page_asset_count(void) { return sizeof files / sizeof files[0]; }

page_asset_t page_asset(int place) { return files[place]; }
