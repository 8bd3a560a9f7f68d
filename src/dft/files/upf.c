// SPDX-License-Identifier: Apache-2.0
#include "dft/files/upf.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/files/text.h"
#include "dft/model/element.h"
#include "dft/model/units.h"

static const double largest_value = 1e100;

typedef struct upf {
    const char *name;          // of the file
    const char *begin, *end;   // of the text
    const char *data;          // where the machine-readable part starts
} upf;

// <name attributes>content</name>
typedef struct element {
    const char *name;
    pv_word attributes, content;
} element;

typedef struct header {
    char symbol[8];
    double valence, cutoff_ry;
    int points, projectors, has_core;
    char functional[32];
} header;

static const char *search(const char *begin, const char *end, const char *text)
{
    return begin < end ? memmem(begin, (size_t)(end - begin), text, strlen(text)) : NULL;
}

static int line_of(const upf *file, const char *at)
{
    int line = 1;
    for (const char *c = file->begin; c < at; c++) line += *c == '\n';
    return line;
}

static upf upf_of(const char *text, size_t length, const char *name)
{
    upf file = {.name = name, .begin = text, .end = text + length, .data = text};
    // What people read may hold anything, tags too.
    const char *info = search(text, file.end, "</PP_INFO>");
    if (info) file.data = info;
    return file;
}

// The end of a tag that starts before `at`: the first > outside quotes.
static const char *tag_end(const char *at, const char *end)
{
    for (char quote = 0; at < end; at++) {
        if (quote) {
            if (*at == quote) quote = 0;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '>') {
            return at;
        }
    }
    return NULL;
}

// After the tag's name; NULL when it never begins.
static const char *find_tag(const upf *file, const char *name)
{
    char open[32];
    snprintf(open, sizeof open, "<%s", name);
    const char *at = file->data;
    while ((at = search(at, file->end, open))) {
        at += strlen(open);
        if (at < file->end && (isspace((unsigned char)*at) || *at == '>' || *at == '/')) break;
    }
    return at;
}

static int find_element(const upf *file, const char *name, element *found)
{
    char close[32];
    snprintf(close, sizeof close, "</%s", name);
    const char *at = find_tag(file, name);
    const char *end = at ? tag_end(at, file->end) : NULL;
    if (!end) return 0;
    *found = (element){.name = name, .attributes = {at, end}, .content = {end + 1, end + 1}};
    if (end > at && end[-1] == '/') {
        found->attributes.end--;
        return 1;
    }
    const char *closing = search(end + 1, file->end, close);
    if (closing) found->content.end = closing;
    return closing != NULL;
}

static pv_status take_element(const upf *file, const char *name, element *found)
{
    if (find_element(file, name, found)) return PV_OK;
    const char *begun = find_tag(file, name);
    if (begun)
        return pv_fail(PV_ERR_INPUT, "pv_upf_parse", "%s:%d: %s begins here and never ends", file->name,
                       line_of(file, begun), name);
    return pv_fail(PV_ERR_INPUT, "pv_upf_parse", "%s has no %s", file->name, name);
}

// The value of name="value", trimmed.
static int find_attribute(const element *of, const char *name, pv_word *value)
{
    const size_t length = strlen(name);
    const char *at = of->attributes.begin, *end = of->attributes.end;
    while ((at = search(at, end, name))) {
        const char *before = at;
        at += length;
        if (before > of->attributes.begin && !isspace((unsigned char)before[-1])) continue;
        while (at < end && isspace((unsigned char)*at)) at++;
        if (at == end || *at != '=') continue;
        at++;
        while (at < end && isspace((unsigned char)*at)) at++;
        if (at == end || (*at != '"' && *at != '\'')) continue;
        const char *closing = memchr(at + 1, *at, (size_t)(end - at - 1));
        if (!closing) return 0;
        *value = pv_word_trim((pv_word){at + 1, closing});
        return 1;
    }
    return 0;
}

static pv_status missing(const upf *file, const element *of, const char *attribute, const char *accepted)
{
    char shown[PV_WORD_SHOWN];
    pv_word value;
    const int line = line_of(file, of->attributes.begin);
    if (!find_attribute(of, attribute, &value))
        return pv_fail(PV_ERR_INPUT, "pv_upf_parse", "%s:%d: %s has no %s; %s is needed", file->name, line, of->name,
                       attribute, accepted);
    return pv_fail(PV_ERR_INPUT, "pv_upf_parse", "%s:%d: found %s = \"%s\" in %s; %s is accepted", file->name, line,
                   attribute, pv_word_show(value, shown), of->name, accepted);
}

static pv_status take_int(const upf *file, const element *of, const char *attribute, int least, int most, int *value_p)
{
    pv_word word;
    int value;
    if (!find_attribute(of, attribute, &word) || !pv_word_int(word, &value) || value < least || value > most) {
        char accepted[64];
        snprintf(accepted, sizeof accepted, "an integer from %d to %d", least, most);
        return missing(file, of, attribute, accepted);
    }
    *value_p = value;
    return PV_OK;
}

static int is_true(const element *of, const char *attribute)
{
    pv_word value;
    if (!find_attribute(of, attribute, &value)) return 0;
    if (value.begin < value.end && *value.begin == '.') value.begin++;
    return value.begin < value.end && toupper((unsigned char)*value.begin) == 'T';
}

static pv_status refuse_kinds(const upf *file, const element *head)
{
    static const struct { const char *attribute, *kind;
    } refused[] = {{"is_ultrasoft", "an ultrasoft"},
                   {"is_paw", "a PAW"},
                   {"is_coulomb", "a bare Coulomb"},
                   {"has_so", "a spin-orbit"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        PV_REQUIRE(!is_true(head, refused[i].attribute), PV_ERR_INPUT,
                   "%s is %s potential (%s); scalar-relativistic norm-conserving ones are accepted", file->name,
                   refused[i].kind, refused[i].attribute);
    pv_word type;
    if (find_attribute(head, "pseudo_type", &type) && !pv_word_is(type, "NC"))
        return missing(file, head, "pseudo_type", "NC (norm-conserving)");
    return PV_OK;
}

static pv_status take_symbol(const upf *file, const element *head, char symbol[8])
{
    pv_word word;
    const char *accepted = "the symbol of an element";
    if (!find_attribute(head, "element", &word) || word.end - word.begin > 2 || word.end == word.begin)
        return missing(file, head, "element", accepted);
    symbol[0] = (char)toupper((unsigned char)word.begin[0]);
    symbol[1] = (char)(word.end - word.begin == 2 ? tolower((unsigned char)word.begin[1]) : 0);
    symbol[2] = 0;
    return pv_element_number(symbol) ? PV_OK : missing(file, head, "element", accepted);
}

// What the parts of Quantum ESPRESSO's names make together.
static const char *name_of_functional(const char *parts)
{
    static const char *const names[][2] = {
        {"PBE", "PBE"},         {"SLA PW PBX PBC", "PBE"},  {"SLA PW PBE PBE", "PBE"},
        {"PBESOL", "PBEsol"},   {"SLA PW PSX PSC", "PBEsol"},
        {"LDA", "LDA"},         {"PZ", "LDA"},              {"PW", "LDA"},
        {"SLA PZ", "LDA"},      {"SLA PZ NOGX NOGC", "LDA"}, {"SLA PW", "LDA"}, {"SLA PW NOGX NOGC", "LDA"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(parts, names[i][0]) == 0) return names[i][1];
    return parts;
}

static void take_functional(const element *head, char functional[32])
{
    pv_word word;
    if (!find_attribute(head, "functional", &word)) return;
    char parts[32] = "";
    pv_word rest = word, part;
    for (size_t used = 0; pv_word_next(&rest, &part) && used < sizeof parts;)
        used += (size_t)snprintf(parts + used, sizeof parts - used, "%s%.*s", used ? " " : "",
                                 (int)(part.end - part.begin), part.begin);
    snprintf(functional, 32, "%s", name_of_functional(parts));
}

static pv_status take_header(const upf *file, header *head)
{
    element found;
    pv_word word;
    const int room = (int)((file->end - file->begin) / 2); // a number and a blank
    PV_REQUIRE(!search(file->begin, file->end, "<qe_pp:pseudo"), PV_ERR_INPUT,
               "%s is a pseudopotential in Quantum ESPRESSO's XML schema; UPF 2 is accepted", file->name);
    PV_REQUIRE(search(file->begin, file->end, "<UPF"), PV_ERR_INPUT,
               "%s is not UPF 2: it has no <UPF version=...>; UPF 1 files can be converted by upfconv", file->name);
    PV_REQUIRE(search(file->data, file->end, "</UPF>"), PV_ERR_INPUT,
               "%s ends early, at line %d: its last line should be </UPF>", file->name, line_of(file, file->end));
    PV_TRY(take_element(file, "PP_HEADER", &found));
    PV_TRY(refuse_kinds(file, &found));
    PV_TRY(take_symbol(file, &found, head->symbol));
    if (!find_attribute(&found, "z_valence", &word) || !pv_word_real(word, &head->valence) || !(head->valence > 0.0))
        return missing(file, &found, "z_valence", "a positive number of electrons");
    PV_TRY(take_int(file, &found, "mesh_size", 1, room, &head->points));
    PV_TRY(take_int(file, &found, "number_of_proj", 0, PV_PSEUDO_PROJECTORS, &head->projectors));
    PV_REQUIRE((long long)head->points * (head->projectors + 3) <= room, PV_ERR_INPUT,
               "%s announces %d points and %d projectors, more numbers than the file has room for", file->name,
               head->points, head->projectors);
    head->has_core = is_true(&found, "core_correction");
    if (find_attribute(&found, "wfc_cutoff", &word)) pv_word_real(word, &head->cutoff_ry);
    take_functional(&found, head->functional);
    return PV_OK;
}

// `count` numbers times `factor` from the content of an element.
static pv_status take_values(const upf *file, const element *of, int count, double factor, double *values)
{
    char shown[PV_WORD_SHOWN];
    const char *at = of->content.begin, *end = of->content.end;
    for (int i = 0; i < count; i++) {
        while (at < end && isspace((unsigned char)*at)) at++;
        pv_word word = {at, at};
        while (at < end && !isspace((unsigned char)*at)) at++;
        word.end = at;
        PV_REQUIRE(word.end > word.begin, PV_ERR_INPUT, "%s:%d: %s ends with %d of %d numbers", file->name,
                   line_of(file, at), of->name, i, count);
        PV_REQUIRE(pv_word_real(word, &values[i]) && fabs(values[i]) < largest_value, PV_ERR_INPUT,
                   "%s:%d: found '%s' as number %d of %d in %s; finite numbers below %g are accepted", file->name,
                   line_of(file, at), pv_word_show(word, shown), i + 1, count, of->name, largest_value);
        values[i] *= factor;
    }
    return PV_OK;
}

static pv_status take_array(const upf *file, const char *name, int count, double factor, double *values)
{
    element found;
    PV_TRY(take_element(file, name, &found));
    return take_values(file, &found, count, factor, values);
}

static pv_status take_projectors(const upf *file, pv_pseudo *pseudo)
{
    pv_pseudo_radial *radial = pseudo->radial;
    int extent = 0;
    for (int i = 0; i < pseudo->projectors; i++) {
        char name[32];
        element found;
        int index = 0;
        snprintf(name, sizeof name, "PP_BETA.%d", i + 1);
        PV_TRY(take_element(file, name, &found));
        PV_TRY(take_int(file, &found, "angular_momentum", 0, PV_PSEUDO_L_MAX, &pseudo->l[i]));
        PV_TRY(take_values(file, &found, radial->points, 1.0, radial->projector + (size_t)i * (size_t)radial->points));
        pv_word word;
        if (find_attribute(&found, "cutoff_radius_index", &word) && pv_word_int(word, &index) && index > extent)
            extent = index;
    }
    if (extent > 0 && extent < radial->points) radial->projector_integrated = extent;
    if (pseudo->projectors == 0) return PV_OK;
    return take_array(file, "PP_DIJ", pseudo->projectors * pseudo->projectors, PV_RYDBERG_HARTREE, pseudo->coupling_ha);
}

static pv_status fill(const upf *file, const header *head, pv_pseudo *pseudo)
{
    pv_pseudo_radial *radial = pseudo->radial;
    memcpy(pseudo->element, head->symbol, sizeof pseudo->element);
    memcpy(pseudo->functional, head->functional, sizeof pseudo->functional);
    pseudo->valence = head->valence;
    pseudo->cutoff_ha = head->cutoff_ry > 0.0 ? head->cutoff_ry * PV_RYDBERG_HARTREE : 0.0;
    PV_TRY(take_array(file, "PP_R", radial->points, 1.0, radial->r));
    PV_TRY(take_array(file, "PP_RAB", radial->points, 1.0, radial->dr));
    PV_TRY(take_array(file, "PP_LOCAL", radial->points, PV_RYDBERG_HARTREE, radial->local_ha));
    if (radial->core) PV_TRY(take_array(file, "PP_NLCC", radial->points, 1.0, radial->core));
    if (radial->density) PV_TRY(take_array(file, "PP_RHOATOM", radial->points, 1.0, radial->density));
    PV_TRY(take_projectors(file, pseudo));
    char source[256];
    snprintf(source, sizeof source, "UPF %s", file->name);
    return pv_mem_strdup(source, &pseudo->source);
}

pv_status pv_upf_parse(const char *text, size_t length, const char *name, pv_pseudo **pseudo_p)
{
    const upf file = upf_of(text, length, name);
    header head = {0};
    pv_pseudo *pseudo;
    pv_status status;
    PV_TRY(take_header(&file, &head));
    PV_TRY(pv_pseudo_create_radial(head.points, head.projectors, head.has_core,
                                   find_tag(&file, "PP_RHOATOM") != NULL, &pseudo));
    PV_TRY_GOTO(fill(&file, &head, pseudo), status, failed);
    *pseudo_p = pseudo;
    return PV_OK;
failed:
    pv_pseudo_destroy(pseudo);
    return status;
}

int pv_upf_is(const char *text, size_t length)
{
    return search(text, text + length, "<UPF") || search(text, text + length, "<PP_HEADER") ||
           search(text, text + length, "<qe_pp:pseudo");
}

void pv_upf_element(const char *text, size_t length, char symbol[8])
{
    const upf file = upf_of(text, length, "");
    element found;
    pv_word word;
    symbol[0] = 0;
    if (!find_element(&file, "PP_HEADER", &found) || !find_attribute(&found, "element", &word)) return;
    if (word.end - word.begin < 1 || word.end - word.begin > 2) return;
    symbol[0] = (char)toupper((unsigned char)word.begin[0]);
    symbol[1] = (char)(word.end - word.begin == 2 ? tolower((unsigned char)word.begin[1]) : 0);
    symbol[2] = 0;
}
