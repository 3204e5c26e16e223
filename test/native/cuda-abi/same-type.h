#pragma once
#include <type_traits>

namespace palestra::abi {

/** The type of NVIDIA's headers that corresponds to one of ours. */
template <class Ours>
struct TheirsOf {
  using type = Ours;
};
template <class Ours>
using theirs_of = typename TheirsOf<Ours>::type;

template <class Ours>
struct TheirsOf<Ours*> {
  using type = theirs_of<Ours>*;
};
template <class Ours>
struct TheirsOf<const Ours> {
  using type = const theirs_of<Ours>;
};
template <class Result, class... Parameters>
struct TheirsOf<Result(Parameters...)> {
  using type = theirs_of<Result>(theirs_of<Parameters>...);
};

/** Inside palestra::abi: expects one of our types to correspond to theirs of that name, with the same size. */
#define SAME_TYPE(name)         \
  template <>                   \
  struct TheirsOf<cuda::name> { \
    using type = ::name;        \
  };                            \
  static_assert(sizeof(cuda::name) == sizeof(::name));

/** Expects a constant of ours to equal theirs. */
#define SAME_VALUE(name) static_assert(static_cast<long>(cuda::name) == static_cast<long>(::name), #name);

}  // namespace palestra::abi
