// The part of tests/trace/scopes.c that is C++, in one session with it.
#include <perfgate/trace.h>

#include <stdexcept>
#include <string>

extern "C" void cxx_part(void);

namespace
{

template <typename T> T overloaded(T value)
{
	PERFGATE_FUNCTION();
	return value;
}

void throws()
{
	PERFGATE_SCOPE("left by an exception");
	throw std::runtime_error("as meant");
}

} // namespace

void cxx_part(void)
{
	PERFGATE_SCOPE("C++");
	PERFGATE_SCOPE_COPY(std::string("text that is gone").c_str());
	overloaded(1);
	overloaded(1.0);
	try {
		throws();
	} catch (const std::runtime_error &) {
		PERFGATE_INSTANT("caught");
	}
}
