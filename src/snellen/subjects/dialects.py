"""The ways of writing calls that there are, by name (see `providers.Provider.dialect`)."""

from collections.abc import Callable, Mapping

from snellen.subjects.anthropic import AnthropicDialect
from snellen.subjects.caching import PrefixCaching
from snellen.subjects.http import Dialect
from snellen.subjects.openai import OpenAIDialect
from snellen.subjects.settings import Value

DIALECTS: dict[str, Callable[[str, Mapping[str, Value], PrefixCaching], Dialect]] = {
    "openai": OpenAIDialect,
    "anthropic": AnthropicDialect,
}
